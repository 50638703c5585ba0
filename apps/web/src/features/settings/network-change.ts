import { useTranslation } from 'react-i18next';
import type { Chain, Network } from '@kervan/contract';
import { useRouteQuery } from '../../lib/query.ts';
import { useConfirm } from '../../ui/confirm.tsx';

/** Asks before a chain's screens turn to a live network; any other change needs no question. */
export function useConfirmNetwork(chain: Chain) {
  const { t } = useTranslation('settings');
  const confirm = useConfirm();
  const { data: networks } = useRouteQuery('listNetworks', {});
  return async (network: Network): Promise<boolean> => {
    const kind = networks?.find((info) => info.chain === chain && info.network === network)?.kind;
    if (kind !== 'live') return true;
    return await confirm({
      title: t('live_title'),
      body: t('live_body'),
      verb: t('live_verb'),
      isDanger: true,
      chain,
      network,
    });
  };
}
