import '@mantine/core/styles/Checkbox.layer.css';
import { Button, Checkbox, Skeleton } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { NATIVE, type Action, type Chain } from '@kervan/contract';
import { formatCount, shorten } from '../../lib/format.ts';
import { useDelayed } from '../../lib/hooks.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { useNavigation } from '../../lib/navigation.ts';
import { Amount } from '../../ui/amount.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import classes from './fast-swap.module.css';
import type { FundableWallets } from './use-fundable-wallets.ts';

interface WalletPickerProps {
  id: string;
  chain: Chain;
  mode: Action;
  /** Empty while no token is chosen. */
  tokenSymbol: string;
  fundable: FundableWallets;
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  error: string | undefined;
}

/** The wallets that can trade, to be chosen one by one or all at once. */
export function WalletPicker(props: WalletPickerProps) {
  const { id, chain, mode, tokenSymbol, fundable, chosen, onChange, error } = props;
  const { t } = useTranslation('fastswap');
  const { t: common } = useTranslation();
  const language = useLanguage();
  const { navigate } = useNavigation();
  const headingId = useId();
  const errorId = useId();
  const { wallets, hasAny } = fundable;
  const showsSkeleton = useDelayed(wallets === undefined && fundable.error === null);
  const count = wallets?.filter(({ id: walletId }) => chosen.has(walletId)).length ?? 0;
  const isAll = wallets !== undefined && count === wallets.length;
  const symbol = mode === 'buy' ? NATIVE[chain].symbol : tokenSymbol;

  function toggle(walletId: string): void {
    const next = new Set(chosen);
    if (!next.delete(walletId)) next.add(walletId);
    onChange(next);
  }

  return (
    <div
      id={id}
      role="group"
      tabIndex={-1}
      aria-labelledby={headingId}
      aria-describedby={error === undefined ? undefined : errorId}
    >
      <div className={classes.pickerHead}>
        <span id={headingId} className={classes.label}>
          {t('wallets')}
        </span>
        <Button size="compact-sm" variant="default" loading={fundable.isFetching} onClick={fundable.refetch}>
          {common('action.refresh')}
        </Button>
      </div>
      {fundable.error && (
        <ErrorPanel error={fundable.error} onRetry={fundable.refetch} isRetrying={fundable.isFetching} />
      )}
      {showsSkeleton && <Skeleton height={132} aria-hidden="true" />}
      {hasAny === false && (
        <EmptyState
          title={t('wallet_first')}
          action={
            <Button onClick={() => navigate(chain === 'solana' ? 'wallets' : 'walletsbsc', 'create')}>
              {t('add_wallet')}
            </Button>
          }
        />
      )}
      {hasAny === true && wallets?.length === 0 && (
        <EmptyState
          title={t('no_balance')}
          hint={t(mode === 'buy' ? `no_balance_buy.${chain}` : 'no_balance_sell')}
        />
      )}
      {wallets !== undefined && wallets.length > 0 && (
        <>
          <Checkbox
            className={classes.selectAll ?? ''}
            label={t('select_all', {
              count: wallets.length,
              chosen: formatCount(count, language),
              total: formatCount(wallets.length, language),
            })}
            checked={isAll}
            indeterminate={count > 0 && !isAll}
            onChange={() => onChange(new Set(isAll ? [] : wallets.map((wallet) => wallet.id)))}
          />
          <ul className={classes.wallets}>
            {wallets.map((wallet) => (
              <li key={wallet.id} className={classes.wallet}>
                <Checkbox
                  label={
                    <>
                      {wallet.name}{' '}
                      <span className={classes.address} translate="no" title={wallet.address}>
                        {shorten(wallet.address)}
                      </span>
                    </>
                  }
                  checked={chosen.has(wallet.id)}
                  onChange={() => toggle(wallet.id)}
                />
                <Amount value={wallet.balance} symbol={symbol} />
              </li>
            ))}
          </ul>
        </>
      )}
      {error !== undefined && (
        <p id={errorId} className={classes.problem}>
          {error}
        </p>
      )}
    </div>
  );
}
