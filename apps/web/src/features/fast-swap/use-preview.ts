import { useQuery } from '@tanstack/react-query';
import type { FastSwapPreview, FastSwapPreviewLeg } from '@kervan/contract';
import { randomId } from '../../lib/random-id.ts';
import { useServices } from '../../lib/services.ts';
import { useState } from 'react';
import type { SwapBatch } from './swap-values.ts';

export interface PreviewBatch {
  readonly legs: readonly FastSwapPreviewLeg[];
}

export interface Preview extends Pick<FastSwapPreview, 'network' | 'gasPrice' | 'slippageBps'> {
  readonly batches: readonly PreviewBatch[];
}

/** What the batches would do at this moment. Pasted keys are in the request, and never in a cache's key. */
export function usePreview(batches: readonly [SwapBatch, ...SwapBatch[]]) {
  const { api } = useServices();
  const [id] = useState(randomId);
  return useQuery<Preview>({
    queryKey: ['fastSwapPreview', id],
    queryFn: async ({ signal }) => {
      const previews = await Promise.all(
        batches.map((batch) =>
          batch.chain === 'solana'
            ? api.call('previewFastSwap', { body: batch.body }, { signal })
            : api.call('previewBscFastSwap', { body: batch.body }, { signal }),
        ),
      );
      const [first] = previews;
      if (first === undefined) throw new Error('a fast swap has at least one batch');
      const { network, gasPrice, slippageBps } = first;
      return { network, gasPrice, slippageBps, batches: previews.map(({ legs }) => ({ legs })) };
    },
    gcTime: 0,
    staleTime: Infinity,
  });
}
