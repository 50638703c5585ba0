import { encodeAbiParameters, encodeFunctionResult, parseAbi, type Hex } from 'viem';
import { expect, it } from 'vitest';
import { BSC_CONTRACTS } from './contracts.ts';
import { createFakeNode, result } from './fake-node.ts';
import { readTokenInfo } from './token-info.ts';

const token = '0x2222222222222222222222222222222222222222';
const contracts = BSC_CONTRACTS[56];
const multicallAbi = parseAbi([
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3Value() payable returns (Result[] results)',
]);
const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value]);
const uint = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value]);

/** A node on which the token answers so when asked for its name, symbol and decimals. */
function describing(...answers: [name: Hex, symbol: Hex, decimals: Hex]) {
  const results = answers.map((returnData) => ({ success: true, returnData }));
  const data = encodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3Value', result: results });
  return readTokenInfo({ rpc: createFakeNode(() => result(data)), contracts }, token);
}

it.each([0n, 18n, 36n])('takes %i decimals', async (decimals) => {
  expect(await describing(text('A'), text('B'), uint(decimals))).toMatchObject({
    decimals: Number(decimals),
  });
});

it.each([37n, 255n, 2n ** 256n - 1n])(
  'refuses %i decimals: no amount of it could be stored',
  async (decimals) => {
    await expect(describing(text('A'), text('B'), uint(decimals))).rejects.toMatchObject({
      code: 'TOKEN_NOT_FOUND',
    });
  },
);

it('gives a hostile name in a form that can be stored', async () => {
  const { name, symbol } = await describing(text(`${'n'.repeat(99)}😀`), text(' \0S\u202EX '), uint(18n));
  expect({ name, symbol }).toEqual({ name: 'n'.repeat(99), symbol: 'SX' });
});
