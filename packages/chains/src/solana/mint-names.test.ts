import { address } from '@solana/kit';
import { expect, it } from 'vitest';
import { createKey } from './keys.ts';
import { cleanName, readMetadataAccount } from './mint-names.ts';
import { createRpc } from './rpc.ts';

/** USD Coin and its metadata account on Solana mainnet, as explorers show them. */
const usdc = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const usdcMetadata = '5x38Kp4hvdomTCnCrAny4UtMUt5rQBdB6px2K1Ui45Wq';
const metaplex = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s';

/** Metaplex's layout: a kind, authority and mint, then texts filled up with NULs. */
function metadataOf(name: string, symbol: string): Buffer {
  const text = (value: string, length: number) => {
    const bytes = Buffer.alloc(4 + length);
    bytes.writeUInt32LE(length);
    bytes.write(value, 4);
    return bytes;
  };
  return Buffer.concat([Buffer.from([4]), Buffer.alloc(64), text(name, 32), text(symbol, 10), text('', 200)]);
}

function nodeWith(owner: string, data: Buffer) {
  const asked: unknown[] = [];
  const account = { owner, data: [data.toString('base64'), 'base64'], lamports: 1, executable: false };
  const rpc = createRpc({
    url: new URL('http://node.example'),
    service: 'Solana test',
    http: async (_url, init) => {
      asked.push(typeof init.body === 'string' && JSON.parse(init.body));
      const result = { context: { slot: 1 }, value: account };
      return { status: 200, text: JSON.stringify({ jsonrpc: '2.0', id: '1', result }) };
    },
  });
  return { rpc, asked };
}

it('reads the name from the account that Metaplex derives from the mint', async () => {
  const { rpc, asked } = nodeWith(metaplex, metadataOf('USD Coin', 'USDC'));
  expect(cleanName(await readMetadataAccount(rpc, usdc))).toEqual({ name: 'USD Coin', symbol: 'USDC' });
  expect(asked).toMatchObject([{ params: [usdcMetadata, { encoding: 'base64' }] }]);
});

it('takes no other program’s word for it', async () => {
  const { rpc } = nodeWith(createKey().address, metadataOf('USD Coin', 'USDC'));
  expect(await readMetadataAccount(rpc, usdc)).toBeNull();
});

it('is no name where nothing can be shown', () => {
  expect(cleanName({ name: '\0\0', symbol: 'X' })).toBeNull();
  expect(cleanName({ name: 'A\u202eB', symbol: ' X ' })).toEqual({ name: 'AB', symbol: 'X' });
});
