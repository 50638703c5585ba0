import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './fast-swap.module.css';
import type { RecentToken } from './recent-tokens.ts';

interface RecentTokensRowProps {
  tokens: readonly RecentToken[];
  onChoose: (address: string) => void;
}

/** The tokens that were swapped last, one click away. */
export function RecentTokensRow({ tokens, onChoose }: RecentTokensRowProps) {
  const { t } = useTranslation('fastswap');
  if (tokens.length === 0) return null;
  return (
    <p className={classes.recent}>
      {t('recent')}{' '}
      {tokens.map(({ address, symbol, name }) => (
        <Anchor
          key={address}
          component="button"
          type="button"
          size="sm"
          translate="no"
          title={`${name} ${address}`}
          className={classes.chip}
          onClick={() => onChoose(address)}
        >
          {symbol}
        </Anchor>
      ))}
    </p>
  );
}
