import { useTranslation } from 'react-i18next';
import { NATIVE, type TradeDetail } from '@kervan/contract';
import { formatExact } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Amount } from '../../ui/amount.tsx';
import classes from './history.module.css';
import { TransactionLink } from './transaction-link.tsx';

/** Each transaction that was signed for a trade; at most one of its swaps can land. */
export function AttemptList({ trade }: { trade: TradeDetail }) {
  const { t } = useTranslation('history');
  const language = useLanguage();
  const { chain, network, attempts } = trade;
  if (attempts.length === 0) return <p className={classes.hint}>{t('no_attempts')}</p>;
  return (
    <ul className={classes.attempts}>
      {attempts.map((attempt) => (
        <li key={attempt.number} className={classes.attempt}>
          <span>
            {t('attempt', { number: attempt.number })} · {t(`purpose.${attempt.purpose}`)}
          </span>
          <span className={classes.attemptState} data-state={attempt.state}>
            {t(`attempt_state.${attempt.state}`)}
          </span>
          <TransactionLink trade={{ chain, network, transaction_hash: attempt.transaction_hash }} />
          <span className={classes.hint}>
            {attempt.nonce !== null && `${t('nonce')} ${formatExact(attempt.nonce, language)} · `}
            {attempt.last_valid_block_height !== null &&
              `${t('valid_until')} ${formatExact(attempt.last_valid_block_height, language)} · `}
            {attempt.gas_price_gwei !== null && (
              <>
                {t('gas')} <Amount value={attempt.gas_price_gwei} digits={3} symbol="gwei" />
                {' · '}
              </>
            )}
            {t('fact.fee')} <Amount value={attempt.fee} digits={6} symbol={NATIVE[chain].symbol} />
            {attempt.height !== null && ` · ${t(`height.${chain}`)} ${formatExact(attempt.height, language)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
