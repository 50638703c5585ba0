import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatClock, timeLeft, type Bot } from '../../lib/bot.ts';
import { useNow } from '../../lib/hooks.ts';
import { Time } from '../../ui/time.tsx';
import classes from './console.module.css';
import type { LogLine } from './log-line.ts';

/** When the bot last traded, by its log or, before the log reaches back, by the bot itself. */
export function LastTradeChip({ bot, lastTrade }: { bot: Bot; lastTrade: LogLine | null }) {
  const { t } = useTranslation('console');
  const at = lastTrade?.createdAt ?? bot.last_run;
  return <Chip label={t('last_trade')}>{at === null ? t('never') : <Time value={at} shows="time" />}</Chip>;
}

/** How long until the bot trades again, counting down. */
export function NextTradeChip({ bot }: { bot: Bot }) {
  const { t } = useTranslation('console');
  const now = useNow(1_000, bot.is_active);
  const left = bot.is_active ? timeLeft(bot, now) : undefined;
  const text =
    left === undefined ? t('not_scheduled') : left.seconds === 0 ? t('due') : formatClock(left.seconds);
  return <Chip label={t('next_trade')}>{text}</Chip>;
}

function Chip({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className={classes.chip}>
      <span className={classes.chipLabel}>{label}</span> <span>{children}</span>
    </span>
  );
}
