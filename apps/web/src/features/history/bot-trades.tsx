import './locale.ts';
import { Button, Skeleton } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BOT_TRADES_PAGE_SIZE } from '@kervan/contract';
import type { Bot } from '../../lib/bot.ts';
import { formatCount } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Page } from '../../ui/page.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { BotPriceChart } from './bot-price-chart.tsx';
import classes from './history.module.css';
import { TradeTable } from './trade-table.tsx';
import { useTrades } from './use-trades.ts';

interface BotTradesProps {
  bot: Bot;
  onBack: () => void;
}

/** One bot's trades, 50 a page (spec §9). */
export function BotTrades({ bot, onBack }: BotTradesProps) {
  const { t } = useTranslation('history');
  const language = useLanguage();
  const [page, setPage] = useState(1);
  const query = useTrades({ bot_id: bot.id, page, limit: BOT_TRADES_PAGE_SIZE });
  const title = t('bot_title', { name: bot.name });
  return (
    <Page
      title={title}
      actions={
        <Button variant="default" leftSection={<IconArrowLeft size={16} />} onClick={onBack}>
          {t('back')}
        </Button>
      }
    >
      <BotPriceChart bot={bot} />
      <QueryView query={query} skeleton={<Skeleton height={420} />}>
        {({ trades, total }) => (
          <>
            <p className={classes.summary} role="status">
              {t('total', { count: total, formatted: formatCount(total, language) })}
            </p>
            <TradeTable
              label={title}
              trades={trades}
              empty={t('empty')}
              isStale={query.isPlaceholderData}
              hidesOrigin
            />
            <Pagination page={page} pages={query.pages} onChange={setPage} />
          </>
        )}
      </QueryView>
    </Page>
  );
}
