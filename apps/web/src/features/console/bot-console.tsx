import './locale.ts';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@mantine/core/styles/Checkbox.layer.css';
import { Button, Checkbox, Skeleton, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconArrowLeft, IconCopy, IconDownload, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chain } from '@kervan/contract';
import type { Bot } from '../../lib/bot.ts';
import { formatCount } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { saveText } from '../../lib/save-file.ts';
import { ActiveBadge } from '../../ui/active-badge.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LastTradeChip, NextTradeChip } from './chips.tsx';
import classes from './console.module.css';
import { exportFileName, linesToText } from './export-text.ts';
import { InfoPanel } from './info-panel.tsx';
import { LevelFilter, type LevelChoice } from './level-filter.tsx';
import type { LogLine } from './log-line.ts';
import { LogList } from './log-list.tsx';
import { logText } from './log-text.ts';
import { useLogStore } from './use-log-store.ts';

interface BotConsoleProps {
  chain: Chain;
  bot: Bot;
  onBack: () => void;
}

/** What one bot does, as it does it. */
export function BotConsole({ chain, bot, onBack }: BotConsoleProps) {
  const { t } = useTranslation('console');
  const language = useLanguage();
  const { store, view, query } = useLogStore(chain, bot.id);
  const [level, setLevel] = useState<LevelChoice>('all');
  const [isAutoScroll, setAutoScroll] = useState(true);
  const clipboard = useClipboard({ timeout: 1_500 });
  const { lines: all } = view;
  const lines = useMemo(
    () => (level === 'all' ? all : all.filter((line) => line.level === level)),
    [all, level],
  );
  const words = (line: LogLine): string => logText(line, t, language);
  const hasNothing = lines.length === 0;

  return (
    <Page
      title={t('title', { name: bot.name })}
      actions={
        <>
          <Button variant="default" leftSection={<IconArrowLeft size={16} />} onClick={onBack}>
            {t('back')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconCopy size={16} />}
            disabled={hasNothing}
            onClick={() => clipboard.copy(linesToText(lines, words))}
          >
            {clipboard.copied ? t('copied') : t('copy')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            disabled={hasNothing}
            onClick={() =>
              saveText(exportFileName(bot.name, new Date()), linesToText(lines, words), 'text/plain')
            }
          >
            {t('download')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconTrash size={16} />}
            disabled={all.length === 0}
            onClick={() => store.clear()}
          >
            {t('clear')}
          </Button>
        </>
      }
    >
      <div className={classes.chips}>
        <ActiveBadge isActive={bot.is_active} />
        <LastTradeChip bot={bot} lastTrade={view.lastTrade} />
        <NextTradeChip bot={bot} />
      </div>
      <p role="status" className={classes.problem}>
        {clipboard.error ? t('copy_failed') : ''}
      </p>
      {/* Only errors are announced: a console that read out every line would never stop talking. */}
      <VisuallyHidden role="alert">{view.lastError && words(view.lastError)}</VisuallyHidden>
      <div className={classes.columns}>
        <div className={classes.log}>
          <div className={classes.toolbar}>
            <LevelFilter value={level} counts={view.counts} onChange={setLevel} />
            <div className={classes.toolbarEnd}>
              <Checkbox
                label={t('auto_scroll')}
                checked={isAutoScroll}
                onChange={(event) => setAutoScroll(event.currentTarget.checked)}
              />
              <span className={classes.count}>
                {t('count', { count: lines.length, formatted: formatCount(lines.length, language) })}
              </span>
            </div>
          </div>
          <QueryView query={query} skeleton={<LogSkeleton />}>
            {() =>
              hasNothing ? (
                <div className={classes.nothing}>
                  <Nothing isCleared={view.isCleared} isFiltered={all.length > 0} />
                </div>
              ) : (
                <LogList lines={lines} newCount={view.newCount} store={store} isAutoScroll={isAutoScroll} />
              )
            }
          </QueryView>
        </div>
        <InfoPanel chain={chain} bot={bot} totals={view.totals} />
      </div>
    </Page>
  );
}

function Nothing({ isCleared, isFiltered }: { isCleared: boolean; isFiltered: boolean }) {
  const { t } = useTranslation('console');
  if (isFiltered) return <EmptyState title={t('empty_level')} />;
  return isCleared ? (
    <EmptyState title={t('cleared')} hint={t('cleared_hint')} />
  ) : (
    <EmptyState title={t('empty')} hint={t('empty_hint')} />
  );
}

function LogSkeleton() {
  return (
    <div className={classes.nothing}>
      {[70, 45, 60, 52, 66].map((width) => (
        <Skeleton key={width} height={14} width={`${width}%`} mb="sm" />
      ))}
    </div>
  );
}
