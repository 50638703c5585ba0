import './locale.ts';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@mantine/core/styles/Checkbox.layer.css';
import { Button, Skeleton } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useId, useState, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chain, RouteName } from '@kervan/contract';
import type { Bot } from '../../lib/bot.ts';
import { formatCount } from '../../lib/format.ts';
import { useServerEvent } from '../../lib/hooks.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { useNavigation } from '../../lib/navigation.ts';
import { routeKey } from '../../lib/query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ReloadButton } from '../../ui/reload-button.tsx';
import { BotCard } from './bot-card.tsx';
import { BotModal } from './bot-modal.tsx';
import classes from './bots.module.css';
import { useBotCommands } from './use-bot-commands.ts';
import { useBots } from './use-bots.ts';
import { useStoredWallets } from '../../lib/use-stored-wallets.ts';

/** Balances follow a bot's trades, but no faster than this. */
const BALANCES_EVERY_MS = 5_000;

const ROUTES = {
  solana: { bots: 'listBots', wallets: 'listWallets', balances: 'walletTokenBalances' },
  bsc: { bots: 'listBscBots', wallets: 'listBscWallets', balances: 'bscTokenBalances' },
} as const satisfies Record<Chain, Record<string, RouteName>>;

interface BotsProps {
  chain: Chain;
  /** What shows one bot's log in place of the grid. */
  Console: ComponentType<{ chain: Chain; bot: Bot; onBack: () => void }>;
  /** What shows one bot's trades in place of the grid. */
  Trades: ComponentType<{ bot: Bot; onBack: () => void }>;
}

/** The bots of a chain, or the console or the trades of one of them. */
export function Bots({ chain, Console, Trades }: BotsProps) {
  const { data: bots } = useBots(chain);
  const [open, setOpen] = useState<{ what: 'console' | 'trades'; id: string }>();
  const bot = bots?.find(({ id }) => id === open?.id);
  const onBack = () => setOpen(undefined);
  if (bot && open?.what === 'console')
    return <Console key={bot.id} chain={chain} bot={bot} onBack={onBack} />;
  if (bot && open?.what === 'trades') return <Trades key={bot.id} bot={bot} onBack={onBack} />;
  return <BotGrid chain={chain} onOpen={(what, id) => setOpen({ what, id })} />;
}

interface BotGridProps {
  chain: Chain;
  onOpen: (what: 'console' | 'trades', botId: string) => void;
}

function BotGrid({ chain, onOpen }: BotGridProps) {
  const { t } = useTranslation('bots');
  const language = useLanguage();
  const { intent, navigate } = useNavigation();
  const queryClient = useQueryClient();
  const hintId = useId();
  const query = useBots(chain);
  const { data: wallets } = useStoredWallets(chain);
  const commands = useBotCommands(chain);
  const [subject, setSubject] = useState<'new' | Bot | undefined>(intent === 'create' ? 'new' : undefined);

  const { bots: botsRoute, wallets: walletsRoute, balances } = ROUTES[chain];
  const renew = (routes: readonly RouteName[]): Promise<unknown> =>
    Promise.all(routes.map((route) => queryClient.invalidateQueries({ queryKey: routeKey(route) })));
  const followTrades = useThrottledCallback(() => void renew([balances]), BALANCES_EVERY_MS);
  useServerEvent('trade:executed', (event) => {
    if (event.chain === chain) followTrades();
  });

  const hasWallets = wallets !== undefined && wallets.length > 0;
  const hasNoWallets = wallets?.length === 0;
  const addWallet = (
    <Button onClick={() => navigate(chain === 'solana' ? 'wallets' : 'walletsbsc', 'create')}>
      {t('add_wallet')}
    </Button>
  );
  const bots = query.data;
  const active = bots?.filter((bot) => bot.is_active).length ?? 0;

  return (
    <Page
      title={t(`title.${chain}`)}
      description={
        bots === undefined || bots.length === 0
          ? t('description')
          : t('active_count', {
              count: bots.length,
              active: formatCount(active, language),
              total: formatCount(bots.length, language),
            })
      }
      actions={
        <>
          <ReloadButton
            isLoading={query.isFetching && bots !== undefined}
            onClick={() => void renew([botsRoute, walletsRoute, balances])}
          />
          <Button
            leftSection={<IconPlus size={16} />}
            disabled={!hasWallets}
            aria-describedby={hasNoWallets ? hintId : undefined}
            onClick={() => setSubject('new')}
          >
            {t('create')}
          </Button>
        </>
      }
    >
      {hasNoWallets && (
        <p id={hintId} className={classes.warning}>
          {t('wallet_first')}
        </p>
      )}
      <QueryView query={query} skeleton={<CardSkeletons />}>
        {(shown) =>
          shown.length === 0 ? (
            <Panel>
              <EmptyState
                title={t('empty')}
                {...(!hasNoWallets && { hint: t('empty_hint') })}
                action={
                  hasNoWallets ? (
                    addWallet
                  ) : (
                    <Button disabled={!hasWallets} onClick={() => setSubject('new')}>
                      {t('create')}
                    </Button>
                  )
                }
              />
            </Panel>
          ) : (
            <ul className={classes.grid}>
              {shown.map((bot) => (
                <BotCard
                  key={bot.id}
                  chain={chain}
                  bot={bot}
                  wallet={wallets?.find((wallet) => wallet.id === bot.wallet_id)}
                  commands={commands}
                  onEdit={() => setSubject(bot)}
                  onOpenConsole={() => onOpen('console', bot.id)}
                  onOpenTrades={() => onOpen('trades', bot.id)}
                />
              ))}
            </ul>
          )
        }
      </QueryView>
      <BotModal
        chain={chain}
        subject={hasWallets ? subject : undefined}
        wallets={wallets ?? []}
        commands={commands}
        onClose={() => setSubject(undefined)}
      />
    </Page>
  );
}

function CardSkeletons() {
  return (
    <div className={classes.grid}>
      {[0, 1, 2].map((card) => (
        <div key={card} className={classes.card}>
          <Skeleton height={18} width="50%" mb="md" />
          <Skeleton height={28} width="65%" mb="md" />
          <Skeleton height={120} mb="md" />
          <Skeleton height={36} />
        </div>
      ))}
    </div>
  );
}
