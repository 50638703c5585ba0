import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf } from './addresses.ts';
import { decodeHeads, decodeRecord, encodeRecord } from './ledger-record.ts';

const bytes = (options: fc.IntArrayConstraints = {}) =>
  fc.uint8Array(options).map((array) => Buffer.from(array));
const address = bytes({ minLength: 32, maxLength: 32 }).map((each) => addressOf(each));
const account = fc.record({
  lamports: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  owner: address,
  data: bytes({ maxLength: 200 }),
  executable: fc.boolean(),
});
const landed = fc.record({
  signature: fc.string(),
  slot: fc.nat(),
  blockTime: fc.nat(),
  error: fc.constantFrom(null, 'BlockhashNotFound', { InstructionError: [0, { Custom: 6001 }] }),
  accounts: fc.array(address, { maxLength: 5 }),
  wire: bytes({ maxLength: 300 }),
  meta: fc.string(),
  effects: fc.array(fc.record({ address, account: fc.option(account, { nil: undefined }) }), {
    maxLength: 4,
  }),
});

describe('a ledger record', () => {
  it('comes back from its bytes as it went in', () => {
    fc.assert(
      fc.property(fc.array(landed, { minLength: 1, maxLength: 5 }), (record) => {
        const payload = encodeRecord(record);
        expect(decodeRecord(payload)).toEqual(record);
        expect(decodeHeads(payload).map((head) => head.signature)).toEqual(
          record.map((each) => each.signature),
        );
      }),
    );
  });
});
