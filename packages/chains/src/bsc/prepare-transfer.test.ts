import { encodeAbiParameters, encodeFunctionResult, parseAbi, type Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import type { TransferAsset } from '../port.ts';
import { BSC_CONTRACTS } from './contracts.ts';
import { createFakeNode, failed, result } from './fake-node.ts';
import { prepareTransfer } from './prepare-transfer.ts';
import type { RpcAnswer } from './rpc-client.ts';
import { createSimulator } from './simulate.ts';
import { unsignedSchema } from './transaction.ts';

const owner = '0x00000000000000000000000000000000000000A1';
const recipient = '0x00000000000000000000000000000000000000b2';
const token = '0x00000000000000000000000000000000000000C3';
const gasPrice = 3n;

const word = (value: bigint): Hex => encodeAbiParameters([{ type: 'uint256' }], [value]);

/** A node of an owner with so many wei and tokens, who pays a recipient with this code. */
async function prepare(
  asset: TransferAsset,
  node: { wei: bigint; units?: bigint; code?: Hex; gas?: bigint; transferSays?: RpcAnswer },
) {
  const held = [node.wei, ...(asset.kind === 'token' ? [node.units ?? 0n] : [])];
  const rpc = createFakeNode(({ method, params: [message] }) => {
    if (method === 'eth_getCode') return result(node.code ?? '0x');
    if (method === 'eth_getTransactionCount') return result('0x7');
    if (method === 'eth_estimateGas') return result(`0x${(node.gas ?? 21_000n).toString(16)}`);
    if (JSON.stringify(message).includes(BSC_CONTRACTS[97].multicall3)) return result(balances(held));
    return node.transferSays ?? failed(-1, 'not expected');
  });
  const prepared = await prepareTransfer(
    {
      chainId: 97,
      rpc,
      contracts: BSC_CONTRACTS[97],
      simulator: createSimulator(rpc),
      gasPrice: { priceFor: () => Promise.resolve(gasPrice) },
    },
    { owner, recipient, asset },
  );
  return unsignedSchema.parse(prepared.unsigned);
}

function balances(values: readonly bigint[]): Hex {
  const abi = parseAbi([
    'struct Result { bool success; bytes returnData; }',
    'function aggregate3Value() view returns (Result[] results)',
  ]);
  return encodeFunctionResult({
    abi,
    functionName: 'aggregate3Value',
    result: values.map((value) => ({ success: true, returnData: word(value) })),
  });
}

describe('a BSC transfer', () => {
  it('of everything to a plain account is paid with exactly 21,000 gas', async () => {
    expect(await prepare({ kind: 'native-rest' }, { wei: 100_000n })).toMatchObject({
      to: recipient,
      gas: 21_000n,
      value: 100_000n - 21_000n * gasPrice,
      nonce: 7,
    });
  });

  it('of everything to a contract leaves what its code may need', async () => {
    const { gas, value } = await prepare(
      { kind: 'native-rest' },
      { wei: 10n ** 9n, code: '0x60', gas: 30_000n },
    );
    expect(gas).toBeGreaterThan(30_000n);
    expect(value).toBe(10n ** 9n - gas * gasPrice);
  });

  it('of a token counts as done only if the token says yes, or nothing as older ones do', async () => {
    const asset = { kind: 'token', tokenAddress: token } as const;
    const rich = { wei: 10n ** 9n, units: 5n, gas: 50_000n };
    for (const answer of [word(1n), '0x'] as const)
      expect((await prepare(asset, { ...rich, transferSays: result(answer) })).to).toBe(token);
    await expect(prepare(asset, { ...rich, transferSays: result(word(0n)) })).rejects.toMatchObject({
      code: 'TRANSFER_FAILED',
    });
  });
});
