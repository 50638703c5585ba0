import { useTranslation } from 'react-i18next';
import { formatClock, timeLeft, type Bot } from '../../lib/bot.ts';
import { useNow } from '../../lib/hooks.ts';
import classes from './bots.module.css';

/** How long until the bot trades next, and how much of its wait is over. */
export function Countdown({ bot }: { bot: Bot }) {
  const { t } = useTranslation('bots');
  const now = useNow(1_000, bot.is_active);
  const left = bot.is_active ? timeLeft(bot, now) : undefined;
  return (
    <div className={classes.countdown}>
      <p>
        {left === undefined
          ? t('card.not_scheduled')
          : left.seconds === 0
            ? t('card.due')
            : t('card.next', { clock: formatClock(left.seconds) })}
      </p>
      <div className={classes.track} aria-hidden="true">
        <div className={classes.bar} style={{ transform: `scaleX(${left?.progress ?? 0})` }} />
      </div>
    </div>
  );
}
