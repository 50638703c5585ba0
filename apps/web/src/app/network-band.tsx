import { useTranslation } from 'react-i18next';
import type { Chain } from '@kervan/contract';
import { useNetworkKinds, type NetworkKind } from '../lib/hooks.ts';
import classes from './network-band.module.css';

const SEVERITY: readonly NetworkKind[] = ['sandbox', 'test', 'live'];

/** Which world the screens work in, always to be seen. Chains in different worlds are named one by one. */
export function NetworkBand() {
  const { t } = useTranslation();
  const { t: shell } = useTranslation('shell');
  const kinds = useNetworkKinds();
  const known = SEVERITY.filter((kind) => Object.values(kinds).includes(kind));
  const gravest = known.at(-1);
  const chains = (['solana', 'bsc'] as const satisfies readonly Chain[]).flatMap((chain) => {
    const kind = kinds[chain];
    return kind === undefined ? [] : [`${t(`chain.${chain}`)}: ${t(`network.${kind}`)}`];
  });
  return (
    <div className={classes.band} data-kind={gravest} role="group" aria-label={shell('band.label')}>
      {gravest === undefined ? (
        <span>{shell('band.unknown')}</span>
      ) : (
        <>
          <strong>{known.length === 1 ? t(`network.${gravest}`) : chains.join(' · ')}</strong>
          <span className={classes.meaning}>{shell(`band.${gravest}`)}</span>
        </>
      )}
    </div>
  );
}
