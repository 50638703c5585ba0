import { Button } from '@mantine/core';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chain } from '@kervan/contract';
import { errorText } from '../../lib/api-error.ts';
import { amountSymbol, formatRange, type Bot } from '../../lib/bot.ts';
import { compareDecimals } from '../../lib/decimal.ts';
import { formatCount, formatPercent } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { ActiveBadge } from '../../ui/active-badge.tsx';
import { Address } from '../../ui/address.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { Time } from '../../ui/time.tsx';
import classes from './bots.module.css';
import { Countdown } from './countdown.tsx';
import type { BotCommands } from './use-bot-commands.ts';
import type { StoredWallet } from '../../lib/use-stored-wallets.ts';
import { useTokenBalance } from './use-token-balance.ts';
import { useTradeNow } from './use-trade-now.ts';

interface BotCardProps {
  chain: Chain;
  bot: Bot;
  wallet: StoredWallet | undefined;
  commands: BotCommands;
  onEdit: () => void;
  onOpenConsole: () => void;
  onOpenTrades: () => void;
}

type Command = 'start' | 'stop' | 'trade' | 'delete';

export function BotCard({ chain, bot, wallet, commands, onEdit, onOpenConsole, onOpenTrades }: BotCardProps) {
  const { t } = useTranslation('bots');
  const { t: common } = useTranslation();
  const language = useLanguage();
  const confirm = useConfirm();
  const headingId = useId();
  const [busy, setBusy] = useState<Command>();
  const [failure, setFailure] = useState<{ command: Command; error: unknown }>();
  const { status, confirmTrade, tradeNow } = useTradeNow(chain, bot, commands.execute);
  const { balance, refresh } = useTokenBalance({
    chain,
    address: wallet?.address,
    tokenAddress: bot.token_address,
    network: bot.network,
    isWanted: bot.action === 'sell',
  });
  const hasToken = bot.token_address !== null;
  const hasNoBalance = balance !== undefined && compareDecimals(balance, '0') <= 0;

  async function run(command: Command, task: () => Promise<void>): Promise<void> {
    setFailure(undefined);
    setBusy(command);
    try {
      await task();
    } catch (error) {
      setFailure({ command, error });
    } finally {
      setBusy(undefined);
    }
  }

  async function start(): Promise<void> {
    const fresh = await refresh();
    if (fresh !== undefined && compareDecimals(fresh, '0') <= 0) return;
    await commands.switchTo(bot, true);
  }

  // A button that waits can't take the focus back when a dialog closes: it waits only once it was confirmed.
  async function confirmed(command: Command, isConfirmed: Promise<boolean>, task: () => Promise<void>) {
    if (await isConfirmed) await run(command, task);
  }

  async function confirmRemoval(): Promise<boolean> {
    return await confirm({
      title: t('delete.title', { name: bot.name }),
      body: `${t('delete.sure')} ${t(bot.is_active ? 'delete.consequence_active' : 'delete.consequence')}`,
      verb: t('delete.verb'),
      isDanger: true,
      chain,
      network: bot.network,
    });
  }

  return (
    <li className={classes.card}>
      <article aria-labelledby={headingId} className={classes.cardBody}>
        <div className={classes.cardHead}>
          <h2 id={headingId} className={classes.name}>
            {bot.name}
          </h2>
          <ActiveBadge isActive={bot.is_active} />
        </div>
        <p className={classes.what}>
          <span className={classes.figure}>{formatRange(bot.amount_min, bot.amount_max, language)}</span>{' '}
          <span translate="no">{amountSymbol(chain, bot)}</span>
        </p>
        <dl className={classes.facts}>
          <Fact label={t('card.action')}>{common(`action_label.${bot.action}`)}</Fact>
          <Fact label={t('card.token')}>
            {bot.token_address === null ? (
              t('card.no_token')
            ) : (
              <>
                <span translate="no">{bot.token_symbol}</span>{' '}
                <Address value={bot.token_address} what={t('card.token_address')} ends={[6, 4]} />
              </>
            )}
          </Fact>
          <Fact label={t('card.wallet')}>{wallet?.name ?? '—'}</Fact>
          <Fact label={t('card.interval')}>
            {t('card.seconds', { range: formatRange(bot.range_time_min, bot.range_time_max, language) })}
          </Fact>
          {'slippage_percent' in bot && (
            <Fact label={t('card.router')}>
              {t('card.router_value', {
                version: bot.pancakeswap_version,
                slippage: formatPercent(String(bot.slippage_percent), language),
              })}
            </Fact>
          )}
          <Fact label={t('card.network')}>{common(`network_name.${bot.network}`)}</Fact>
          <Fact label={t('card.trades')}>{formatCount(bot.execution_count, language)}</Fact>
          <Fact label={t('card.last_run')}>
            {bot.last_run === null ? t('card.never') : <Time value={bot.last_run} />}
          </Fact>
        </dl>
        <Countdown bot={bot} />
        <p role="status" className={classes.note} data-status={status}>
          {status !== undefined && t(`trade.${status}`)}
        </p>
        {!hasToken && <p className={classes.note}>{t('card.token_hint')}</p>}
        {failure && (
          <p role="alert" className={classes.problem}>
            {t(`failed.${failure.command}`, { reason: errorText(failure.error, language) })}
          </p>
        )}
        <div className={classes.buttons}>
          {bot.is_active ? (
            <Button
              variant="default"
              loading={busy === 'stop'}
              onClick={() => void run('stop', () => commands.switchTo(bot, false))}
            >
              {t('card.stop')}
            </Button>
          ) : (
            <Button
              disabled={!hasToken || hasNoBalance}
              loading={busy === 'start'}
              onClick={() => void run('start', start)}
            >
              {hasNoBalance ? t('card.no_balance') : t('card.start')}
            </Button>
          )}
          <Button
            variant="default"
            disabled={!hasToken || hasNoBalance}
            loading={busy === 'trade'}
            onClick={() => void confirmed('trade', confirmTrade(), tradeNow)}
          >
            {t('card.trade_now')}
          </Button>
        </div>
        <div className={classes.buttons}>
          <Button variant="default" onClick={onOpenConsole}>
            {t('card.console')}
          </Button>
          <Button variant="default" onClick={onOpenTrades}>
            {t('card.history')}
          </Button>
          <Button variant="default" onClick={onEdit}>
            {t('card.edit')}
          </Button>
          <Button
            variant="default"
            loading={busy === 'delete'}
            onClick={() => void confirmed('delete', confirmRemoval(), () => commands.remove(bot))}
          >
            {common('action.delete')}
          </Button>
        </div>
      </article>
    </li>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
