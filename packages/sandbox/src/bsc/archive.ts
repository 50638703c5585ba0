import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { hexToNumber, numberToHex } from 'viem';
import { z } from 'zod';
import type { NodeClient } from './node-client.ts';

const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);
const blockSchema = z.looseObject({
  number: z.templateLiteral(['0x', z.string()]),
  transactions: z.array(z.looseObject({ hash })),
});
const receiptSchema = z.looseObject({ transactionHash: hash });
const recordSchema = z.object({ block: blockSchema, receipts: z.array(receiptSchema) });

/** One block as the node tells it: `eth_getBlockByNumber` with whole transactions, `eth_getBlockReceipts`. */
export type ArchivedBlock = z.infer<typeof recordSchema>;

/** How far the archive's two files reach; a generation remembers it. */
export interface ArchiveMark {
  dataBytes: number;
  indexBytes: number;
}

/**
 * Every block on disk, for what the node has already forgotten. It is not synced as it grows: what is past the
 * newest snapshot's mark is made again by the replay.
 */
export interface Archive {
  mark(): ArchiveMark;
  /** Copies the blocks it has not got yet from the node. */
  follow(node: NodeClient): Promise<void>;
  /** Forgets what was appended after the mark. */
  rewind(mark: ArchiveMark): Promise<void>;
  sync(): Promise<void>;
  /** The block that a transaction is in. */
  findByTransaction(transactionHash: string): Promise<ArchivedBlock | undefined>;
  findByNumber(blockNumber: number): Promise<ArchivedBlock | undefined>;
  close(): Promise<void>;
}

// An index entry: transaction hash (zeroes for a block without any), block number, place and length of its record.
const hashBytes = 32;
const entryBytes = hashBytes + 6 + 6 + 4;
const noTransaction = `0x${'00'.repeat(hashBytes)}`;

const blocksARequest = 64;

/** Opens or creates the archive in a directory and cuts it at the mark. */
export async function openArchive(directory: string, start: ArchiveMark): Promise<Archive> {
  const data = await open(path.join(directory, 'archive.data'), 'a+');
  const index = await open(path.join(directory, 'archive.index'), 'a+');
  let mark = start;
  let entries: Buffer = Buffer.alloc(0);
  /** Entry number by the first 48 bits of the transaction hash; the entry itself has the whole hash. */
  let entryOfHash = new Map<number, number>();

  async function rewind(to: ArchiveMark): Promise<void> {
    await data.truncate(to.dataBytes);
    await index.truncate(to.indexBytes);
    mark = to;
    entries = await readAt(index, 0, to.indexBytes);
    entryOfHash = new Map();
    for (let entry = 0; entry * entryBytes < to.indexBytes; entry += 1) {
      entryOfHash.set(entries.readUIntBE(entry * entryBytes, 6), entry);
    }
  }

  function writeEntry(target: Buffer, at: number, key: string, blockNumber: number, length: number): void {
    target.write(key.slice(2), at, 'hex');
    target.writeUIntBE(blockNumber, at + hashBytes, 6);
    target.writeUIntBE(mark.dataBytes, at + hashBytes + 6, 6);
    target.writeUInt32BE(length, at + hashBytes + 12);
  }

  async function readRecord(entry: number): Promise<ArchivedBlock> {
    const at = entry * entryBytes + hashBytes;
    const record = await readAt(data, entries.readUIntBE(at + 6, 6), entries.readUInt32BE(at + 12));
    return recordSchema.parse(JSON.parse(record.toString('utf8')));
  }

  async function append(block: ArchivedBlock): Promise<void> {
    const record = Buffer.from(JSON.stringify(block));
    const hashes = block.block.transactions.map((transaction): string => transaction.hash);
    if (hashes.length === 0) hashes.push(noTransaction);
    const added = Buffer.alloc(hashes.length * entryBytes);
    for (const [position, key] of hashes.entries()) {
      writeEntry(added, position * entryBytes, key, hexToNumber(block.block.number), record.length);
      entryOfHash.set(prefixOf(key), mark.indexBytes / entryBytes + position);
    }
    await data.appendFile(record);
    await index.appendFile(added);
    if (entries.length < mark.indexBytes + added.length) {
      // Doubling keeps the cost of an append constant.
      entries = Buffer.concat([entries, Buffer.alloc(Math.max(entries.length, added.length, 64 * 1024))]);
    }
    added.copy(entries, mark.indexBytes);
    mark = { dataBytes: mark.dataBytes + record.length, indexBytes: mark.indexBytes + added.length };
  }

  function nextBlock(): number {
    if (mark.indexBytes === 0) return 0;
    return entries.readUIntBE(mark.indexBytes - entryBytes + hashBytes, 6) + 1;
  }

  await rewind(start);
  return {
    mark: () => mark,
    rewind,
    async follow(node) {
      const latest = Number(await node.call('eth_blockNumber'));
      for (let first = nextBlock(); first <= latest; first += blocksARequest) {
        const last = Math.min(latest, first + blocksARequest - 1);
        for (const block of await readBlocks(node, first, last)) await append(block);
      }
    },
    async sync() {
      await data.datasync();
      await index.datasync();
    },
    async findByTransaction(transactionHash) {
      if (!/^0x[0-9a-f]{64}$/i.test(transactionHash)) return undefined;
      const entry = entryOfHash.get(prefixOf(transactionHash));
      if (entry === undefined) return undefined;
      const found = await readRecord(entry);
      const wanted = transactionHash.toLowerCase();
      return found.block.transactions.some((transaction) => transaction.hash === wanted) ? found : undefined;
    },
    async findByNumber(blockNumber) {
      // Blocks are appended in order, so their numbers are sorted.
      let low = 0;
      let high = mark.indexBytes / entryBytes - 1;
      while (low <= high) {
        const middle = (low + high) >>> 1;
        const number = entries.readUIntBE(middle * entryBytes + hashBytes, 6);
        if (number === blockNumber) return readRecord(middle);
        if (number < blockNumber) low = middle + 1;
        else high = middle - 1;
      }
      return undefined;
    },
    async close() {
      await data.close();
      await index.close();
    },
  };
}

/** Reads a run of blocks with their receipts in one batch. */
async function readBlocks(node: NodeClient, first: number, last: number): Promise<ArchivedBlock[]> {
  const numbers = Array.from({ length: last - first + 1 }, (_, position) => first + position);
  const calls = numbers.flatMap((number) => [
    { method: 'eth_getBlockByNumber', params: [numberToHex(number), true] },
    { method: 'eth_getBlockReceipts', params: [numberToHex(number)] },
  ]);
  const results = await node.callAll(calls);
  return numbers.map((_, position) =>
    recordSchema.parse({ block: results[2 * position], receipts: results[2 * position + 1] }),
  );
}

function prefixOf(transactionHash: string): number {
  return Number.parseInt(transactionHash.slice(2, 14), 16);
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const content = Buffer.alloc(length);
  const { bytesRead } = await file.read(content, 0, length, position);
  if (bytesRead < length) throw new Error('The archive is shorter than its snapshot says');
  return content;
}
