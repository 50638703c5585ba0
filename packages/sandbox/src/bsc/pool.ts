import { keccak256 } from 'viem';
import { z } from 'zod';
import type { JournalEntry } from './journal-entry.ts';
import type { NodeClient } from './node-client.ts';

const poolPart = z.record(z.string(), z.record(z.string(), z.object({ hash: z.string() })));
const poolSchema = z.object({ pending: poolPart, queued: poolPart });

/** The transactions in the given entries that wait in the node's pool, to be put into the next one's. */
export async function waitingTransactions(
  node: NodeClient,
  entries: readonly JournalEntry[],
): Promise<JournalEntry[]> {
  const pool = poolSchema.parse(await node.call('txpool_content'));
  const hashes = new Set(
    [pool.pending, pool.queued].flatMap((bySender) =>
      Object.values(bySender).flatMap((byNonce) => Object.values(byNonce).map(({ hash }) => hash)),
    ),
  );
  if (hashes.size === 0) return [];
  // A transaction sent twice is in the pool once.
  const sent = new Set(entries.flatMap((entry) => (entry.kind === 'block' ? [] : [entry.raw])));
  return [...sent]
    .filter((raw) => hashes.has(keccak256(raw)))
    .map((raw): JournalEntry => ({ kind: 'requeue', raw }));
}
