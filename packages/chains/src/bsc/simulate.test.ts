import { expect, it } from 'vitest';
import { createFakeNode, failed, result } from './fake-node.ts';
import type { RpcAnswer } from './rpc-client.ts';
import { createSimulator } from './simulate.ts';

const owner = '0x1111111111111111111111111111111111111111';
const call = { to: '0x2222222222222222222222222222222222222222', data: '0x', value: 0n } as const;

/** A node on which the call needs so much gas. */
function nodeNeeding(state: { gas: bigint }) {
  return createFakeNode(({ method, params: [message] }): RpcAnswer => {
    if (method === 'eth_estimateGas') return result(`0x${state.gas.toString(16)}`);
    const given = message && typeof message === 'object' && 'gas' in message ? String(message.gas) : '0x0';
    return BigInt(given) >= state.gas ? result('0x') : failed(3, 'execution reverted');
  });
}

it('estimates once for a kind of call, then runs it once with little more', async () => {
  const node = nodeNeeding({ gas: 100_000n });
  const simulator = createSimulator(node);
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await simulator.gasLimit(call, owner, 'buy')).toBe(175_000n);
  }
  await simulator.gasLimit(call, owner, 'sell');
  expect(node.requests.flat().map(({ method }) => method)).toEqual([
    'eth_estimateGas',
    'eth_call',
    'eth_call',
    'eth_estimateGas',
  ]);
});

it('estimates again when a call needs more than its kind did, long before the limit is used up', async () => {
  const state = { gas: 100_000n };
  const simulator = createSimulator(nodeNeeding(state));
  await simulator.gasLimit(call, owner, 'buy');
  state.gas = 111_000n;
  expect(await simulator.gasLimit(call, owner, 'buy')).toBe(189_300n);
});

it('refuses what would be reverted, with the reason', async () => {
  const simulator = createSimulator(
    createFakeNode(() => failed(3, 'execution reverted: Too little received')),
  );
  await expect(simulator.gasLimit(call, owner, 'buy')).rejects.toMatchObject({
    code: 'SLIPPAGE_EXCEEDED',
    context: { reason: 'Too little received' },
  });
});

it('lets no token spend a wallet’s BNB as gas: refuses more than 3,000,000', async () => {
  const state = { gas: 2_273_078n };
  const simulator = createSimulator(nodeNeeding(state));
  for (const turn of ['first', 'again']) {
    await expect(simulator.gasLimit(call, owner, 'buy'), turn).rejects.toMatchObject({
      code: 'SIMULATION_FAILED',
      context: { reason: 'it needs up to 3000001 gas, more than the 3000000 allowed' },
    });
  }
  state.gas = 2_273_077n;
  expect(await simulator.gasLimit(call, owner, 'buy')).toBe(3_000_000n);
});
