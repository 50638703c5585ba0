import { expect, test } from 'vitest';
import { partiesOf } from './parties.ts';

const secret = new Uint8Array(32);
const wallet = (id: string) => ({ id, name: `Wallet ${id}`, address: `address of ${id}` });

test('whatever is named or pasted twice takes part once, in the order asked for', () => {
  const parties = partiesOf(
    {
      walletIds: ['b', 'a', 'b'],
      pasted: [
        { address: 'pasted', secret },
        { address: 'address of a', secret },
        { address: 'address of c', secret },
        { address: 'pasted', secret: Uint8Array.from(secret) },
      ],
    },
    [wallet('a'), wallet('b'), wallet('c')],
  );
  expect(parties.map(({ walletId, address }) => [walletId, address])).toEqual([
    ['b', 'address of b'],
    ['a', 'address of a'],
    [null, 'pasted'],
    ['c', 'address of c'],
  ]);
});

test('a wallet that the user has not is none', () => {
  expect(() => partiesOf({ walletIds: ['a', 'x'], pasted: [] }, [wallet('a')])).toThrow('wallet');
});
