import { expect, it } from 'vitest';
import { NETWORKS, provenKind } from './networks.ts';

it('tells a network’s kind by what its node proves, and by nothing else', () => {
  for (const known of NETWORKS) {
    const proven = known.chain === 'solana' ? known.genesisHash : String(known.chainId);
    expect(provenKind(known.chain, proven)).toBe(known.kind);
    expect(provenKind(known.chain === 'solana' ? 'bsc' : 'solana', proven)).toBeUndefined();
  }
  for (const proven of [undefined, '', '1', 'null', 'devnet', 'sandbox']) {
    expect(provenKind('solana', proven)).toBeUndefined();
    expect(provenKind('bsc', proven)).toBeUndefined();
  }
});
