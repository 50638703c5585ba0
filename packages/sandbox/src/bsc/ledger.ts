import { setTimeout as delay } from 'node:timers/promises';
import { rm } from 'node:fs/promises';
import type { Hex } from 'viem';
import { z } from 'zod';
import type { AnvilNode } from './anvil.ts';
import { openArchive, type Archive, type ArchiveMark } from './archive.ts';
import type { Deployment } from './deploy.ts';
import { createGate } from './gate.ts';
import { createJournal, latestTimestamp, loadNode, openNewestGeneration } from './generation.ts';
import { encodeEntry, type JournalEntry } from './journal-entry.ts';
import { asGethError, NodeLostError, NodeRpcError, type NodeClient } from './node-client.ts';
import { waitingTransactions } from './pool.ts';
import { commitSnapshot, snapshotFile, writeSnapshot, type SnapshotNotes } from './snapshot.ts';

/**
 * The chain as something that lasts. Anvil keeps everything in memory; the ledger keeps what that is made from: a
 * snapshot, and a journal of the raw transactions and the blocks since.
 *
 * Transactions are journaled, and so is the fact that a block is to be mined, with its timestamp; only when all
 * that is synced is the block mined. From the same snapshot and journal anvil makes the same blocks to the last hash, so a
 * replay is all there is to a restart, to the loss of the node alone and to a power cut.
 */
export interface Ledger {
  deployment: Deployment;
  archive: Archive;
  /**
   * Lands one raw transaction and returns its hash once it is mined, or once it waits in the pool for an
   * earlier nonce. Throws NodeRpcError, worded as geth words it, if the chain refuses it.
   */
  send(raw: Hex): Promise<Hex>;
  /** Runs a read on the node, again if the node is lost meanwhile, and never during a replay. */
  read<Result>(task: (node: NodeClient) => Promise<Result>): Promise<Result>;
  /** Process id of the node at this moment. */
  nodePid(): number;
  close(): Promise<void>;
}

interface Step {
  entry: JournalEntry;
  durable: Promise<void>;
  /** Of the caller who waits for this transaction. */
  caller?: PromiseWithResolvers<Hex>;
}

/** Bounds on what the node holds in memory. */
export interface Retention {
  /** Journal entries (transactions and blocks) between snapshots; a replay takes half a millisecond for each. */
  snapshotEvery: number;
  /** Newest blocks the node keeps over a snapshot; older ones are in the archive only. */
  keptBlocks: number;
}

const defaultRetention: Retention = { snapshotEvery: 1_000, keptBlocks: 256 };
const archiveEvery = 64;
const largestBlock = 64;
/**
 * Anvil computes a block's state root from all accounts and slots anew, about 10 ms for 10,000 of them. When blocks
 * are slow, the next one waits for twice as long as one took, and takes all that was sent meanwhile.
 */
const slowBlockMs = 5;
const pausePerBlockTime = 2;
const maxReadAttempts = 5;

/**
 * Opens the chain kept in a directory, or deploys a new one. `onFatal` hears of a failure that only a restart of
 * the process can mend, such as a full disk or a node that does not come up again.
 */
export async function openLedger(options: {
  directory: string;
  onFatal: (error: unknown) => void;
  retention?: Retention;
}): Promise<Ledger> {
  const { directory, onFatal, retention: { snapshotEvery, keptBlocks } = defaultRetention } = options;
  const opened = await openNewestGeneration(directory);
  const { deployment } = opened.notes;
  const archive = await openArchive(directory, opened.notes.archive);
  let { generation, journal, journalNumber, node } = opened;
  let archiveStart: ArchiveMark = opened.notes.archive;
  /** Everything since the snapshot; what is before `applied` is on the node. */
  let tail = opened.entries.map(durableStep);
  let applied = 0;
  /** Transactions on the node that the next block will mine, and their callers. */
  let accepted: { hash: Hex; step: Step }[] = [];
  let sentSinceBlock = 0;
  /** Milliseconds of the monotonic clock. */
  let nextBlockAt = 0;
  let snapshotAt = snapshotEvery;
  /** Of the newest block, mined or in the tail. */
  let timestamp = await latestTimestamp(node.client);
  for (const entry of opened.entries)
    if (entry.kind === 'block') timestamp = Math.max(timestamp, entry.timestamp);
  let lost = false;
  let clockIsBehind = true;
  let closing = false;
  /** Shut during a replay. */
  const reads = createGate();
  /** Shut during a replay and a snapshot. */
  const sends = createGate();
  let wake = Promise.withResolvers<void>();

  /** Block time never runs backwards, whatever the machine's clock does. */
  const now = (): number => Math.max(timestamp, Math.floor(Date.now() / 1000));

  function use(started: AnvilNode): void {
    node = started;
    lost = false;
    clockIsBehind = true;
    void watch(started);
  }

  async function watch(started: AnvilNode): Promise<void> {
    await started.exited;
    if (closing || started !== node) return;
    lost = true;
    reads.shut();
    wake.resolve();
  }

  function enqueue(entry: JournalEntry, caller?: PromiseWithResolvers<Hex>): void {
    const durable = journal.append(encodeEntry(entry));
    // The loop awaits it in its turn; until then a failed write must not count as unhandled.
    durable.catch((error: unknown) => caller?.reject(error));
    tail.push({ entry, durable, ...(caller && { caller }) });
    wake.resolve();
  }

  function closeBlock(): void {
    sentSinceBlock = 0;
    timestamp = now();
    enqueue({ kind: 'block', timestamp });
  }

  async function apply(step: Step): Promise<void> {
    if (step.entry.kind === 'block') {
      // Durable only after everything before it in the journal. The pool may hold a transaction sooner than the
      // disk does, but none is executed or acknowledged sooner.
      await step.durable;
      return mine(step.entry.timestamp);
    }
    try {
      const hash = await submit(node.client, step.entry.raw);
      // What has waited in the pool since before the snapshot is no reason for a block.
      if (step.entry.kind === 'send') accepted.push({ hash, step });
    } catch (error) {
      if (!(error instanceof NodeRpcError)) throw error;
      step.caller?.reject(asGethError(error));
    }
  }

  async function mine(blockTimestamp: number): Promise<void> {
    const started = performance.now();
    await node.client.call('evm_mine', [blockTimestamp]);
    const finished = performance.now();
    const took = finished - started;
    nextBlockAt = took > slowBlockMs ? finished + pausePerBlockTime * took : 0;
    for (const { hash, step } of accepted) step.caller?.resolve(hash);
    accepted = [];
  }

  /** Loads the snapshot again; the loop then replays the tail. */
  async function replaceNode(): Promise<void> {
    sends.shut();
    await node.stop();
    use(await loadNode(directory, snapshotFile(directory, generation)));
    await archive.rewind(archiveStart);
    accepted = [];
    applied = 0;
  }

  /** Begins the next generation on a node loaded from its snapshot, which proves the snapshot and frees memory. */
  async function takeSnapshot(): Promise<void> {
    const next = journalNumber + 1;
    await archive.follow(node.client);
    await archive.sync();
    const notes: SnapshotNotes = { deployment, archive: archive.mark() };
    const temporary = await writeSnapshot(node.client, directory, next, notes, keptBlocks);
    const fresh = await loadNode(directory, temporary).catch(() => undefined);
    if (fresh === undefined) {
      // A state anvil would not load again must not replace one that it does. The journal has it all.
      await rm(temporary);
      snapshotAt = 2 * applied;
      return;
    }
    const requeued = await waitingTransactions(
      node.client,
      tail.map((step) => step.entry),
    );
    const nextJournal = await createJournal(directory, next, requeued);
    await commitSnapshot(temporary, directory, next);
    const [oldNode, oldJournal] = [node, journal];
    use(fresh);
    journal = nextJournal;
    generation = next;
    journalNumber = next;
    archiveStart = notes.archive;
    tail = requeued.map(durableStep);
    applied = 0;
    snapshotAt = snapshotEvery + tail.length;
    await oldNode.stop();
    await oldJournal.close();
  }

  /** The one loop that changes the chain: the replay at first, then sends, always in the journal's order. */
  async function work(): Promise<void> {
    for (;;) {
      if (closing) return;
      try {
        if (lost) await replaceNode();
        const step = tail[applied];
        if (step !== undefined) {
          await apply(step);
          applied += 1;
          if (applied % archiveEvery === 0) await archive.follow(node.client);
          // The tail has to end before a snapshot can be taken.
          if (applied === snapshotAt) sends.shut();
          continue;
        }
        if (accepted.length > 0) {
          const pause = nextBlockAt - performance.now();
          nextBlockAt = 0;
          if (pause > 0) await delay(pause);
          else closeBlock();
          continue;
        }
        if (applied >= snapshotAt) {
          await takeSnapshot();
          continue;
        }
        if (clockIsBehind) {
          await node.client.call('evm_setTime', [now()]);
          clockIsBehind = false;
          continue;
        }
        // No pause from the look at the tail to the wait: a send in between would not wake the loop.
        reads.open();
        sends.open();
        wake = Promise.withResolvers();
        await wake.promise;
      } catch (error) {
        if (closing) return;
        if (!(error instanceof NodeLostError)) throw error;
        await node.stop();
      }
    }
  }

  use(node);
  const worker = work().catch((error: unknown) => {
    reads.fail(error);
    sends.fail(error);
    for (const step of tail) step.caller?.reject(error);
    onFatal(error);
  });
  await reads.pass();

  return {
    deployment,
    archive,
    async send(raw) {
      await sends.pass();
      const caller = Promise.withResolvers<Hex>();
      enqueue({ kind: 'send', raw }, caller);
      sentSinceBlock += 1;
      if (sentSinceBlock >= largestBlock) closeBlock();
      return caller.promise;
    },
    async read(task) {
      for (let attempt = 1; ; attempt += 1) {
        await reads.pass();
        const used = node;
        try {
          return await task(used.client);
        } catch (error) {
          if (!(error instanceof NodeLostError) || attempt === maxReadAttempts) throw error;
          // The connection breaks a moment before the process is known to have ended.
          if (used === node) await Promise.race([used.exited, delay(1_000, undefined, { ref: false })]);
        }
      }
    },
    nodePid: () => node.pid,
    async close() {
      closing = true;
      wake.resolve();
      await node.stop();
      await worker;
      // A snapshot under way may have put another node in its place.
      await node.stop();
      await journal.close();
      await archive.close();
    },
  };
}

function durableStep(entry: JournalEntry): Step {
  return { entry, durable: Promise.resolve() };
}

async function submit(node: NodeClient, raw: Hex): Promise<Hex> {
  return z.templateLiteral(['0x', z.string()]).parse(await node.call('eth_sendRawTransaction', [raw]));
}
