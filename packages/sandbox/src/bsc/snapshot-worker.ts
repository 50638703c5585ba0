/** Worker thread that turns anvil's dump into a snapshot file. */
import { open } from 'node:fs/promises';
import { workerData } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';

const taskSchema = z.object({
  /** What `anvil_dumpState` answers: JSON, gzipped. */
  dump: z.instanceof(Uint8Array),
  /** Newest blocks that stay in the snapshot. */
  keptBlocks: z.union([z.int(), z.literal(Infinity)]),
  /** Put beside the node's state. */
  notes: z.unknown(),
  file: z.string(),
});
export type SnapshotTask = z.infer<typeof taskSchema>;

/** The part of the dump that grows with history. */
const stateSchema = z.looseObject({
  best_block_number: z.number(),
  blocks: z.array(z.looseObject({ header: z.looseObject({ number: z.string() }) })),
  transactions: z.array(z.looseObject({ block_number: z.number(), info: z.looseObject({}) })),
});

const { dump, keptBlocks, notes, file: target } = taskSchema.parse(workerData);
const state = stateSchema.parse(JSON.parse(gunzipSync(dump).toString('utf8')));
const oldest = state.best_block_number - keptBlocks;
const snapshot = JSON.stringify({
  ...state,
  blocks: state.blocks.filter((block) => Number(block.header.number) > oldest),
  transactions: state.transactions
    .filter((transaction) => transaction.block_number > oldest)
    // Call traces are three quarters of the file, and no method that reads them is served.
    .map((transaction) => ({ ...transaction, info: { ...transaction.info, traces: [] } })),
  notes,
});
const file = await open(target, 'w');
try {
  await file.writeFile(snapshot);
  await file.sync();
} finally {
  await file.close();
}
