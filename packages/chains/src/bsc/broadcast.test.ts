import { expect, it } from 'vitest';
import type { BroadcastRequest } from '../port.ts';
import { createBroadcaster } from './broadcast.ts';
import { buyReceipt, createFakeNode, failed, result } from './fake-node.ts';
import { createKey } from './keys.ts';
import type { RpcAnswer } from './rpc-client.ts';
import { sign } from './sign.ts';

const token = '0x2222222222222222222222222222222222222222';
const v3Router = '0x3333333333333333333333333333333333333333';
const { address: owner, secret } = createKey();

function signedRequest(): BroadcastRequest {
  const expiry = { kind: 'nonce', nonce: 0n } as const;
  const unsigned = { chainId: 1, nonce: 0, gasPrice: 1n, gas: 50_000n, to: token, value: 9n, data: '0x' };
  const costs = { gasPriceUnits: 1n, feeUnits: 0n, rentUnits: 0n, tipUnits: 0n };
  const signed = sign({ purpose: 'swap', owner, expiry, ...costs, quote: null, unsigned }, secret);
  return { ...signed, owner, action: 'buy', tokenAddress: token, expiry };
}
const request = signedRequest();
const ownReceipt = buyReceipt(request.txId, `0x${owner.slice(2)}`, token);

/** A node that answers the methods given, and nothing else. */
function broadcastTo(answers: Record<string, RpcAnswer>, confirmations = 1) {
  const node = createFakeNode(({ method }) => {
    const answer = answers[method];
    if (answer === undefined) throw new Error(`must not be asked ${method}`);
    return answer;
  });
  const dependencies = { rpc: node, wbnb: token, v3Router, confirmations, now: Date.now } as const;
  return { node, broadcast: createBroadcaster(dependencies) };
}

const sync = 'eth_sendRawTransactionSync';
const plain = 'eth_sendRawTransaction';

it('settles from the receipt that comes with the answer, with no further question', async () => {
  const { node, broadcast } = broadcastTo({ [sync]: result(ownReceipt) });
  expect(await broadcast(request)).toMatchObject({
    kind: 'landed',
    outcome: { kind: 'success', settlement: { nativeUnits: 9n, tokenUnits: 5n } },
  });
  expect(node.requests).toHaveLength(1);
});

it('finds out once that a node has no eth_sendRawTransactionSync', async () => {
  const { node, broadcast } = broadcastTo({
    [sync]: failed(-32_601, 'the method eth_sendRawTransactionSync does not exist/is not available'),
    [plain]: result(request.txId),
  });
  expect(await broadcast(request)).toEqual({ kind: 'accepted' });
  expect(await broadcast(request)).toEqual({ kind: 'accepted' });
  expect(node.requests.flat().map(({ method }) => method)).toEqual([sync, plain, plain]);
});

it('does not take one block for final where more confirmations are wanted', async () => {
  const { broadcast } = broadcastTo({ [plain]: result(request.txId) }, 3);
  expect(await broadcast(request)).toEqual({ kind: 'accepted' });
});

it.each([
  ['already known', -32_000],
  ['Transaction already imported', -32_010],
  ['transaction was added to the mempool but was not mined in time', 4],
])('counts %j as accepted', async (message, code) => {
  const { broadcast } = broadcastTo({ [sync]: failed(code, message) });
  expect(await broadcast(request)).toEqual({ kind: 'accepted' });
});

it('reported failed, had executed: a used nonce is looked into, and our own receipt is a landing', async () => {
  const { broadcast } = broadcastTo({
    [sync]: failed(-32_000, 'nonce too low: next nonce 1, tx nonce 0'),
    eth_getTransactionReceipt: result(ownReceipt),
    eth_blockNumber: result('0x7'),
    eth_getTransactionByHash: result({ from: owner, to: token, value: '0x9', input: '0x', gas: '0xc350' }),
  });
  expect(await broadcast(request)).toMatchObject({ kind: 'landed', outcome: { kind: 'success' } });
});

it('rejects where the nonce went to a transaction that isn’t ours', async () => {
  const { broadcast } = broadcastTo({
    [sync]: failed(-32_000, 'nonce too low'),
    eth_getTransactionReceipt: result(null),
    eth_blockNumber: result('0x7'),
    eth_getTransactionCount: result('0x1'),
    eth_getTransactionByHash: result(null),
  });
  expect(await broadcast(request)).toEqual({ kind: 'rejected', reason: 'nonce too low' });
});

it.each(['insufficient funds for gas * price + value', 'replacement transaction underpriced'])(
  'passes on %j as the node’s word',
  async (message) => {
    const { broadcast } = broadcastTo({ [sync]: failed(-32_000, message) });
    expect(await broadcast(request)).toEqual({ kind: 'rejected', reason: message });
  },
);

it('kept a trade from ending: a refusal’s words are cut to what can be stored', async () => {
  const { broadcast } = broadcastTo({ [sync]: failed(-32_000, `no\0\uD800${'x'.repeat(1_000)}`) });
  expect(await broadcast(request)).toEqual({ kind: 'rejected', reason: `no${'x'.repeat(196)}` });
});
