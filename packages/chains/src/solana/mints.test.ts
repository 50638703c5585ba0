import { getMintEncoder } from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { token2022Program, tokenProgram } from './addresses.ts';
import { createKey } from './keys.ts';
import { createMintReader, tokenInfo, type Mint } from './mints.ts';
import { createRpc } from './rpc.ts';

const mintData = Buffer.from(
  getMintEncoder().encode({
    mintAuthority: null,
    supply: 5n,
    decimals: 4,
    isInitialized: true,
    freezeAuthority: null,
  }),
);
const extended = (type: number) =>
  Buffer.concat([mintData, Buffer.alloc(83), Buffer.from([type]), Buffer.alloc(40)]);

function readerOf(program: string, data: Buffer) {
  let calls = 0;
  const account = {
    owner: program,
    data: [data.toString('base64'), 'base64'],
    lamports: 1,
    executable: false,
  };
  const rpc = createRpc({
    url: new URL('http://node.example'),
    service: 'Solana test',
    http: async () => {
      calls += 1;
      return {
        status: 200,
        text: JSON.stringify({ jsonrpc: '2.0', id: '1', result: { context: { slot: 1 }, value: account } }),
      };
    },
  });
  return { read: createMintReader(rpc), calls: () => calls };
}

describe('createMintReader', () => {
  const { address } = createKey();

  it.each([
    ['SPL Token', tokenProgram, mintData],
    ['Token-2022', token2022Program, mintData],
    ['Token-2022 with extensions', token2022Program, extended(1)],
  ])('reads a mint of %s once', async (_case, program, data) => {
    const { read, calls } = readerOf(program, data);
    expect(await read(address)).toEqual({ address, decimals: 4, program });
    expect(await read(address)).toMatchObject({ decimals: 4 });
    expect(calls()).toBe(1);
  });

  it.each([
    ['a token account', tokenProgram, Buffer.alloc(165)],
    ['a token account with extensions', token2022Program, extended(2)],
    ['another program’s account', createKey().address, mintData],
  ])('finds no token in %s', async (_case, program, data) => {
    await expect(readerOf(program, data).read(address)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
  });
});

describe('tokenInfo', () => {
  it('names a token that no list knows by its shortened address', async () => {
    const mint: Mint = { address: tokenProgram, decimals: 4, program: tokenProgram };
    const info = tokenInfo(mint, undefined);
    expect(info).toEqual({ address: mint.address, name: 'Toke…Q5DA', symbol: 'Toke…Q5DA', decimals: 4 });
  });
});
