import { getMintEncoder } from '@solana-program/token';
import { getAddressEncoder, type Address } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { token2022Program, tokenProgram } from './addresses.ts';
import { createKey } from './keys.ts';
import { readMintAccount } from './mint-account.ts';
import { mintWarnings } from './mint-warnings.ts';

const someone = createKey().address as Address; // a key's address is one
const nobody = Buffer.alloc(32);
const addressBytes = (address: Address) => Buffer.from(getAddressEncoder().encode(address));

function mintData(freezeAuthority: Address | null): Buffer {
  return Buffer.from(
    getMintEncoder().encode({
      mintAuthority: null,
      supply: 5n,
      decimals: 4,
      isInitialized: true,
      freezeAuthority,
    }),
  );
}

/** A Token-2022 mint with these extensions, as the program lays them out. */
function extended(
  extensions: readonly [type: number, data: Buffer][],
  freezeAuthority: Address | null = null,
) {
  const list = extensions.map(([type, data]) => {
    const header = Buffer.alloc(4);
    header.writeUInt16LE(type, 0);
    header.writeUInt16LE(data.length, 2);
    return Buffer.concat([header, data]);
  });
  return Buffer.concat([mintData(freezeAuthority), Buffer.alloc(83), Buffer.from([1]), ...list]);
}

function feeConfig(olderBps: number, newerBps: number): Buffer {
  const data = Buffer.alloc(108);
  data.writeUInt16LE(olderBps, 88);
  data.writeUInt16LE(newerBps, 106);
  return data;
}

const warningsOf = (data: Buffer, program: Address = token2022Program) =>
  mintWarnings(readMintAccount(program, data));

describe('what a mint account warns of', () => {
  it('is nothing for a plain mint of either program', () => {
    expect(warningsOf(mintData(null), tokenProgram)).toEqual([]);
    expect(warningsOf(mintData(null))).toEqual([]);
    expect(warningsOf(extended([]))).toEqual([]);
  });

  it('is a freeze authority', () => {
    expect(warningsOf(mintData(someone), tokenProgram)).toEqual([
      { code: 'FREEZE_AUTHORITY', severity: 'warning', context: {} },
    ]);
  });

  it.each([
    ['PERMANENT_DELEGATE', 'danger', 12, addressBytes(someone)],
    ['TRANSFER_HOOK', 'warning', 14, Buffer.concat([nobody, addressBytes(someone)])],
    ['FROZEN_BY_DEFAULT', 'danger', 6, Buffer.from([2])],
    ['NON_TRANSFERABLE', 'danger', 9, Buffer.alloc(0)],
    ['PAUSABLE', 'warning', 26, Buffer.concat([addressBytes(someone), Buffer.from([0])])],
  ] as const)('is %s', (code, severity, type, data) => {
    const padding: [number, Buffer] = [3, addressBytes(someone)];
    expect(warningsOf(extended([padding, [type, data]]))).toEqual([{ code, severity, context: {} }]);
  });

  it.each([
    ['a delegate', 12, nobody],
    ['a hook', 14, Buffer.concat([addressBytes(someone), nobody])],
    ['a freeze', 6, Buffer.from([1])],
    ['a fee', 1, feeConfig(0, 0)],
  ] as const)('is not %s that was given up or is none', (_case, type, data) => {
    expect(warningsOf(extended([[type, data]]))).toEqual([]);
  });

  it('is the higher of the fee that holds and the one that will', () => {
    const rising = warningsOf(extended([[1, feeConfig(100, 250)]]));
    expect(rising).toEqual([{ code: 'TRANSFER_FEE', severity: 'warning', context: { percent: 2.5 } }]);
    const [falling] = warningsOf(extended([[1, feeConfig(9_000, 0)]]));
    expect(falling).toEqual({ code: 'TRANSFER_FEE', severity: 'danger', context: { percent: 90 } });
  });

  it('begins with the gravest', () => {
    const warnings = warningsOf(
      extended(
        [
          [1, feeConfig(1, 1)],
          [12, addressBytes(someone)],
        ],
        someone,
      ),
    );
    expect(warnings.map(({ code }) => code)).toEqual([
      'PERMANENT_DELEGATE',
      'TRANSFER_FEE',
      'FREEZE_AUTHORITY',
    ]);
  });
});

it('a mint names itself by the metadata extension', () => {
  const text = (value: string) => {
    const bytes = Buffer.from(value);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const metadata = Buffer.concat([nobody, nobody, text('İpek'), text('IPK'), text('https://token.example')]);
  const named = readMintAccount(token2022Program, extended([[19, metadata]]));
  expect(named.metadata).toEqual({ name: 'İpek', symbol: 'IPK' });
  const cut = readMintAccount(token2022Program, extended([[19, metadata.subarray(0, 68)]]));
  expect(cut.metadata).toBeNull();
});

it('whatever an issuer writes behind a mint, it can be read', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const data = Buffer.concat([mintData(null), Buffer.alloc(83), Buffer.from([1]), bytes]);
      expect(readMintAccount(token2022Program, data).freezeAuthority).toBeNull();
    }),
  );
});
