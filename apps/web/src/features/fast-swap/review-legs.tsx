import { useTranslation } from 'react-i18next';
import { NATIVE, type Chain, type FastSwapPreviewLeg } from '@kervan/contract';
import { codeText } from '../../lib/api-error.ts';
import { shorten } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Amount } from '../../ui/amount.tsx';
import classes from './fast-swap.module.css';

interface ReviewLegsProps {
  chain: Chain;
  legs: readonly FastSwapPreviewLeg[];
  /** Symbols of what goes in and what comes out. */
  paid: string;
  received: string;
  /** Which batch this is, where there are several. */
  number?: number;
  of?: number;
}

/** The wallets of one batch: what each of them would do, and whether they stand or fall together. */
export function ReviewLegs({ chain, legs, paid, received, number, of }: ReviewLegsProps) {
  const { t } = useTranslation('fastswap');
  const language = useLanguage();
  const { symbol: native } = NATIVE[chain];
  const isBundle = legs.some((leg) => leg.isAtomic);
  return (
    <section className={classes.batch}>
      <h3 className={classes.batchTitle}>
        {number !== undefined && `${t('batch', { number, of })} · `}
        {t(isBundle ? 'atomic' : 'single')}
      </h3>
      <ul className={classes.legs}>
        {legs.map((leg) => (
          <li key={leg.address} className={classes.leg} data-failed={leg.error !== null}>
            <span className={classes.legName}>
              {leg.walletName ?? t('pasted_key')}{' '}
              <span className={classes.address} translate="no" title={leg.address}>
                {shorten(leg.address)}
              </span>
            </span>
            {leg.error === null ? (
              <>
                <span>
                  <Amount value={leg.amountIn} digits={6} symbol={paid} /> →{' '}
                  <Amount value={leg.expectedOut} digits={6} symbol={received} />
                </span>
                <span className={classes.hint}>
                  {t('minimum')} <Amount value={leg.minimumOut} digits={6} symbol={received} /> · {t('fees')}{' '}
                  <Amount value={leg.fee} digits={6} symbol={native} />
                  {leg.needsApproval && ` · ${t('approval')}`}
                </span>
              </>
            ) : (
              <span className={classes.problem}>
                {codeText(leg.error.code, leg.error.context, language) ?? leg.error.message}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
