import { bytesToHex, parseTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import type { PreparedTransaction } from '../port.ts';
import { createKey } from './keys.ts';
import { sign } from './sign.ts';
import { deserialize, type UnsignedTransaction } from './transaction.ts';

const unsigned: UnsignedTransaction = {
  chainId: 31_337,
  nonce: 0,
  gasPrice: 10n ** 9n,
  gas: 21_000n,
  to: '0x10ED43C718714eb63d5aA57B78B54704E256024E',
  value: 5n,
  data: '0x1234',
};

const preparedFor = (owner: string): PreparedTransaction => ({
  purpose: 'swap',
  owner,
  expiry: { kind: 'nonce', nonce: 0n },
  gasPriceUnits: unsigned.gasPrice,
  quote: null,
  feeUnits: 0n,
  rentUnits: 0n,
  tipUnits: 0n,
  unsigned,
});

it('signs the same bytes as viem, and can read them back', async () => {
  const { address, secret } = createKey();
  const signed = sign(preparedFor(address), secret);
  const raw = bytesToHex(signed.bytes);
  const account = privateKeyToAccount(bytesToHex(secret));
  expect(raw).toBe(await account.signTransaction({ type: 'legacy', ...unsigned }));
  expect(parseTransaction(raw).chainId).toBe(31_337);
  expect(deserialize(raw)).toEqual({ ...unsigned, to: unsigned.to.toLowerCase() });
});

it('refuses another wallet’s key', () => {
  expect(() => sign(preparedFor(createKey().address), createKey().secret)).toThrow(TypeError);
});
