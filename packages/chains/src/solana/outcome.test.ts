import { getBase58Decoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { AttemptRef } from '../port.ts';
import { readOutcome } from './outcome.ts';
import { createRpc } from './rpc.ts';

const attempt: AttemptRef = {
  txId: getBase58Decoder().decode(new Uint8Array(64).fill(7)),
  owner: 'wallet',
  action: 'buy',
  tokenAddress: 'mint',
  expiry: { kind: 'block-height', lastValidBlockHeight: 1_000n },
};

/** A node with its finalized block height, its slot, and what its history knows of the signature. */
interface Node {
  blockHeight: number;
  slot?: number;
  status?: unknown;
  transaction?: unknown;
  /** The first slot that its ledger still has, and the height of the block there. */
  firstSlot?: number;
  firstHeight?: number | null;
}

function rpcOf(node: Node) {
  const asked: string[] = [];
  const rpc = createRpc({
    url: new URL('http://node.example'),
    service: 'Solana test',
    http: async (_url, init) => {
      const method = typeof init.body === 'string' ? (/"method":"(\w+)"/.exec(init.body)?.[1] ?? '') : '';
      asked.push(method);
      return {
        status: 200,
        text: JSON.stringify({ jsonrpc: '2.0', id: '1', result: resultOf(node, method) }),
      };
    },
  });
  return { rpc, asked };
}

function resultOf(node: Node, method: string): unknown {
  const { blockHeight, slot = 5_000, status, transaction, firstSlot = 0, firstHeight = null } = node;
  if (method === 'getEpochInfo') {
    return { absoluteSlot: 5_000, blockHeight, epoch: 1, slotIndex: 1, slotsInEpoch: 1, transactionCount: 1 };
  }
  if (method === 'getTransaction') return transaction ?? null;
  if (method === 'getFirstAvailableBlock') return firstSlot;
  if (method === 'getBlock') return { blockHeight: firstHeight, blockhash: 'hash', parentSlot: 1 };
  return { context: { slot }, value: [status ?? null] };
}

describe('readOutcome', () => {
  it('calls an attempt dead when its last valid height is behind finality and no history knows it', async () => {
    const { rpc, asked } = rpcOf({ blockHeight: 1_001 });
    expect(await readOutcome(rpc, attempt)).toEqual({ kind: 'dead', why: 'expired' });
    // The height first, the signature after it: the other way round it could land in between.
    expect(asked.indexOf('getSignatureStatuses')).toBeGreaterThan(asked.indexOf('getEpochInfo'));
  });

  it.each<[string, Node]>([
    ['at its last valid height', { blockHeight: 1_000 }],
    [
      'while any fork has it',
      { blockHeight: 2_000, status: { slot: 5_001, confirmationStatus: 'processed' } },
    ],
    [
      'when the node that was asked is behind the one that named the height',
      { blockHeight: 2_000, slot: 4_999 },
    ],
  ])('calls it pending %s', async (_case, node) => {
    expect(await readOutcome(rpcOf(node).rpc, attempt)).toEqual({ kind: 'pending' });
  });

  // It could have landed from height 850 on: 150 blocks before its last valid one.
  it('calls an old attempt dead where the ledger reaches back to it', async () => {
    for (const node of [{ firstSlot: 850 }, { firstSlot: 4_000, firstHeight: 850 }]) {
      const { rpc, asked } = rpcOf({ blockHeight: 9_999, ...node });
      expect(await readOutcome(rpc, attempt)).toEqual({ kind: 'dead', why: 'expired' });
      // The other way round the ledger could lose it in between.
      expect(asked.indexOf('getFirstAvailableBlock')).toBeGreaterThan(asked.indexOf('getSignatureStatuses'));
    }
  });

  it('never calls an attempt dead that a node has forgotten: it may have landed before its ledger begins', async () => {
    for (const firstHeight of [851, 9_000, null]) {
      const { rpc } = rpcOf({ blockHeight: 9_999, firstSlot: 4_000, firstHeight });
      expect(await readOutcome(rpc, attempt)).toEqual({ kind: 'pending' });
    }
  });

  it('reads a landed one, however long ago it expired', async () => {
    const { rpc } = rpcOf({
      blockHeight: 9_999,
      transaction: {
        slot: 900,
        blockTime: 1_795_000_000,
        transaction: { message: { accountKeys: ['wallet'] }, signatures: [attempt.txId] },
        meta: {
          err: { InstructionError: [0, { Custom: 6001 }] },
          fee: 5_000,
          preBalances: [10_000],
          postBalances: [5_000],
          preTokenBalances: [],
          postTokenBalances: [],
          logMessages: null,
        },
        version: 0,
      },
    });
    expect(await readOutcome(rpc, attempt)).toMatchObject({
      kind: 'reverted',
      failure: { code: 'SLIPPAGE_EXCEEDED' },
      settlement: { feeUnits: 5_000n, height: 900n },
    });
  });
});
