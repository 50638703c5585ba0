import { getBase58Decoder } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base58Of } from './base58.ts';

describe('base58', () => {
  it('is what kit writes, for any bytes', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 80 }),
      fc
        .tuple(fc.nat(5), fc.uint8Array({ maxLength: 64 }))
        .map(([zeroes, rest]) => Uint8Array.of(...Array<number>(zeroes).fill(0), ...rest)),
    );
    fc.assert(
      fc.property(bytes, (each) => {
        expect(base58Of(each)).toBe(getBase58Decoder().decode(each));
      }),
    );
  });
});
