import { useQuery } from '@tanstack/react-query';
import { useServices } from '../../lib/services.ts';

/** Whether the Solana node gives a blockhash now. */
export function useSolanaNode() {
  const { api } = useServices();
  return useQuery({
    queryKey: ['solanaNode'],
    queryFn: ({ signal }) =>
      api.call('solanaRpc', { body: { method: 'getLatestBlockhash', params: [] } }, { signal }),
    staleTime: 0,
    retry: false,
  });
}

/** Whether the BSC node gives its gas prices now. */
export function useBscNode() {
  const { api } = useServices();
  return useQuery({
    queryKey: ['bscNode'],
    queryFn: ({ signal }) => api.call('bscGasPrices', {}, { signal }),
    staleTime: 0,
    retry: false,
  });
}
