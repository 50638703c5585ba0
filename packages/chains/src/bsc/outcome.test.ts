import { numberToHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { ZodError } from 'zod';
import type { AttemptRef } from '../port.ts';
import { buyReceipt, createFakeNode, failed, result } from './fake-node.ts';
import { readOutcome } from './outcome.ts';
import type { RpcAnswer, RpcCall } from './rpc-client.ts';

const owner = '0x1111111111111111111111111111111111111111';
const token = '0x2222222222222222222222222222222222222222';
const router = '0x3333333333333333333333333333333333333333';
const txId = numberToHex(1, { size: 32 });
const attempt: AttemptRef = {
  txId,
  owner,
  action: 'buy',
  tokenAddress: token,
  expiry: { kind: 'nonce', nonce: 4n },
};
const day = 24 * 3_600_000;
const now = 100 * day;

const transaction = { from: owner, to: router, value: '0x9', input: '0x', gas: '0xc350' };

/** What the node that is reached at a look says; the last one stays. */
interface View {
  readonly head: bigint;
  readonly receipt?: object | null;
  readonly transaction?: object | null;
}

/**
 * A node whose answers are those of another machine at each look, and on which the nonce was used in the given
 * block. The blocks that were asked about are remembered.
 */
function chainOf(usedIn: bigint, ...views: [View, ...View[]]) {
  const asked: bigint[] = [];
  let looks = 0;
  let view = views[0];
  const node = createFakeNode(({ method, params }: RpcCall): RpcAnswer => {
    switch (method) {
      case 'eth_getTransactionReceipt':
        view = views[Math.min(looks, views.length - 1)] ?? view;
        looks += 1;
        return result(view.receipt ?? null);
      case 'eth_getTransactionByHash':
        return result(view.transaction ?? null);
      case 'eth_blockNumber':
        return result(numberToHex(view.head));
      case 'eth_getTransactionCount': {
        const block = BigInt(String(params[1]));
        asked.push(block);
        return block > view.head
          ? failed(-32_602, 'block out of range')
          : result(block >= usedIn ? '0x5' : '0x4');
      }
      default:
        return failed(-32_601, method);
    }
  });
  return { node, asked };
}

function outcomeOn(
  { node }: ReturnType<typeof chainOf>,
  { confirmations = 3, createdAt }: { confirmations?: number; createdAt?: Date } = {},
) {
  const dependencies = { rpc: node, wbnb: token, v3Router: token, confirmations, now: () => now } as const;
  return readOutcome(dependencies, { ...attempt, ...(createdAt && { createdAt }) });
}

const pending = { kind: 'pending' };
const dead = { kind: 'dead', why: 'replaced' };
const receipt = buyReceipt(txId, owner, token);

describe('an attempt whose nonce is used and that is nowhere to be found', () => {
  it('is dead once the nonce was used 20 blocks ago', async () => {
    const chain = chainOf(81n, { head: 100n });
    expect(await outcomeOn(chain)).toEqual(dead);
    expect(chain.asked).toEqual([81n]);
  });

  it('called a landed trade dead: the nonce was used in newer blocks, of which a lagging node has no receipt', async () => {
    expect(await outcomeOn(chainOf(82n, { head: 100n }))).toEqual(pending);
    // As deep as a receipt has to be is not deep enough for its absence.
    expect(await outcomeOn(chainOf(98n, { head: 100n }))).toEqual(pending);
  });

  it('is dead in the newest block where one confirmation is enough', async () => {
    expect(await outcomeOn(chainOf(100n, { head: 100n }), { confirmations: 1 })).toEqual(dead);
    expect(await outcomeOn(chainOf(101n, { head: 100n }), { confirmations: 1 })).toEqual(pending);
  });

  it('is pending while a node still knows the transaction, at either look', async () => {
    expect(await outcomeOn(chainOf(50n, { head: 100n, transaction }))).toEqual(pending);
    expect(await outcomeOn(chainOf(50n, { head: 100n }, { head: 100n, transaction }))).toEqual(pending);
  });

  it('is pending when the second look reaches a node that is behind the first', async () => {
    expect(await outcomeOn(chainOf(50n, { head: 100n }, { head: 99n }))).toEqual(pending);
  });

  it('has landed if the second look finds the receipt that the first, on a lagging node, did not', async () => {
    const found = { head: 100n, receipt, transaction };
    expect(await outcomeOn(chainOf(50n, { head: 100n }, found))).toMatchObject({ kind: 'success' });
  });

  it('is pending on a node that can’t tell the nonce of that block', async () => {
    expect(await outcomeOn(chainOf(0n, { head: 10n }))).toEqual(pending);
    const pruned = createFakeNode(({ method }) => {
      if (method === 'eth_getTransactionCount') return failed(-32_000, 'missing trie node');
      return result(method === 'eth_blockNumber' ? '0x64' : null);
    });
    expect(await outcomeOn({ node: pruned, asked: [] })).toEqual(pending);
  });

  it('stays pending after an outage longer than nodes keep their index', async () => {
    const lost = chainOf(50n, { head: 100n });
    expect(await outcomeOn(lost, { createdAt: new Date(now - 10 * day) })).toEqual(dead);
    expect(await outcomeOn(lost, { createdAt: new Date(now - 10 * day - 1) })).toEqual(pending);
  });
});

describe('an attempt with a receipt', () => {
  it('has landed when the receipt is deep enough, however old it is', async () => {
    const landed = (head: bigint) => chainOf(7n, { head, receipt, transaction });
    expect(await outcomeOn(landed(8n))).toEqual(pending);
    expect(await outcomeOn(landed(9n), { createdAt: new Date(0) })).toMatchObject({ kind: 'success' });
  });

  it('is nobody’s guess where its transaction can’t be read', async () => {
    await expect(outcomeOn(chainOf(7n, { head: 9n, receipt }))).rejects.toBeInstanceOf(ZodError);
  });
});
