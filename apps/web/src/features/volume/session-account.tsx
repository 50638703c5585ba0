import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NATIVE, type Chain, type VolumeSessionDetail } from '@kervan/contract';
import { Address } from '../../ui/address.tsx';
import { Amount } from '../../ui/amount.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useVolumeSession } from './use-volume.ts';
import classes from './volume.module.css';

interface SessionAccountProps {
  chain: Chain;
  id: string;
  tokenSymbol: string;
}

const SUMMANDS = ['funded', 'fees', 'deposits', 'priceLoss', 'left', 'recovered', 'masterFees'] as const;
const NATIVE_DIGITS = { solana: 9, bsc: 18 } as const satisfies Record<Chain, number>;

/** Where every coin of the session went, to the last base unit. */
export function SessionAccount({ chain, id, tokenSymbol }: SessionAccountProps) {
  const query = useVolumeSession(chain, id);
  return (
    <QueryView query={query} skeleton={<Skeleton height={160} />}>
      {(session) => <Account chain={chain} session={session} tokenSymbol={tokenSymbol} />}
    </QueryView>
  );
}

interface AccountProps {
  chain: Chain;
  session: VolumeSessionDetail;
  tokenSymbol: string;
}

function Account({ chain, session: { account, totalProfit, wallets }, tokenSymbol }: AccountProps) {
  const { t } = useTranslation('volume');
  const { symbol } = NATIVE[chain];
  const digits = NATIVE_DIGITS[chain];
  const remaining = wallets.filter(({ problem }) => problem !== null);
  return (
    <div className={classes.account}>
      <p className={classes.hint}>{t('account_rule')}</p>
      <dl className={classes.facts}>
        {SUMMANDS.filter((name) => name !== 'deposits' || chain === 'solana').map((name) => (
          <div key={name} className={classes.fact}>
            <dt>{t(`account_of_session.${name}`)}</dt>
            <dd>
              <Amount value={account[name]} digits={digits} symbol={symbol} />
            </dd>
          </div>
        ))}
        <div className={classes.fact}>
          <dt>{t('account_of_session.masterChange')}</dt>
          <dd>
            <Amount value={totalProfit} digits={digits} symbol={symbol} isSigned />
          </dd>
        </div>
        {account.tokensRecovered !== '0' && (
          <div className={classes.fact}>
            <dt>{t('account_of_session.tokensRecovered')}</dt>
            <dd>
              <Amount value={account.tokensRecovered} digits={6} symbol={tokenSymbol} />
            </dd>
          </div>
        )}
      </dl>
      {remaining.length > 0 && (
        <ul className={classes.rows}>
          {remaining.map((wallet) => (
            <li key={wallet.id} className={classes.row}>
              <Address value={wallet.address} ends={[6, 4]} what={t('address')} />
              <span>
                <Amount value={wallet.leftNative} digits={6} symbol={symbol} />
                {wallet.leftTokens !== null && wallet.leftTokens !== '0' && (
                  <>
                    {' · '}
                    <Amount value={wallet.leftTokens} digits={6} symbol={tokenSymbol} />
                  </>
                )}
              </span>
              <span className={classes.problem}>{wallet.problem?.message}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
