import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

export interface JournalRecord {
  /** Where the record starts in the file; `read` takes it. */
  offset: number;
  payload: Buffer;
}

/**
 * An append-only file that keeps what it acknowledged. A record is framed as length and CRC-32 (both
 * u32 little-endian) and payload. Appends made while a sync is under way share the next one.
 */
export interface Journal {
  /** Bytes including those still queued: the offset the next record will have. */
  readonly size: number;
  /** Resolves once the record is on disk. After a failed write every later append is refused. */
  append(payload: Uint8Array): Promise<void>;
  /** Resolves once everything appended so far is on disk. */
  durable(): Promise<void>;
  /** Reads one durable record back. */
  read(offset: number): Promise<Buffer>;
  /** Waits for what is queued and closes the file. */
  close(): Promise<void>;
}

const frameHeaderBytes = 8;

/**
 * Opens or creates a journal and reads its records. A torn tail, which is a write that power or the
 * process did not outlive and that nobody was told about, is cut off. Nothing is written before
 * `writeAfter` resolves: where one journal continues another, no record may outlive one before it.
 */
export async function openJournal(
  path: string,
  options: { writeAfter?: () => Promise<void> } = {},
): Promise<{ journal: Journal; records: JournalRecord[] }> {
  const file = await open(path, 'a+');
  try {
    const content = await file.readFile();
    const { records, end } = parseFrames(content);
    if (end < content.length) {
      await file.truncate(end);
      await file.sync();
    }
    if (content.length === 0) await syncDirectory(dirname(path));
    return { journal: createJournal(file, end, options.writeAfter), records };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Makes a file's creation, renaming or removal in this directory last through a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open directories; its file system journals metadata by itself.
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function parseFrames(content: Buffer): { records: JournalRecord[]; end: number } {
  const records: JournalRecord[] = [];
  let offset = 0;
  while (offset + frameHeaderBytes <= content.length) {
    const length = content.readUInt32LE(offset);
    const payload = content.subarray(offset + frameHeaderBytes, offset + frameHeaderBytes + length);
    // An empty record is never written: zeroes left by a torn write must not pass for one.
    if (length === 0 || payload.length < length || crc32(payload) !== content.readUInt32LE(offset + 4)) break;
    records.push({ offset, payload });
    offset += frameHeaderBytes + length;
  }
  return { records, end: offset };
}

function createJournal(file: FileHandle, initialSize: number, writeAfter = () => Promise.resolve()): Journal {
  let size = initialSize;
  let queue: Uint8Array[] = [];
  let batch: Promise<void> | undefined;
  let nextBatch: Promise<void> | undefined;
  let failure: unknown;

  async function flush(previous: Promise<void> | undefined): Promise<void> {
    try {
      // A failed batch refuses the ones behind it: a hole in the journal would end the replay there.
      await (previous ?? writeAfter());
      batch = nextBatch;
      nextBatch = undefined;
      const frames = queue;
      queue = [];
      await file.appendFile(Buffer.concat(frames));
      await file.datasync();
    } catch (error) {
      failure = error;
      throw error;
    }
  }

  function schedule(): Promise<void> {
    nextBatch ??= flush(batch).finally(() => {
      if (!nextBatch) batch = undefined;
    });
    return nextBatch;
  }

  const stopped = (): Error => new Error('The journal stopped after a failed write', { cause: failure });

  return {
    get size() {
      return size;
    },
    append(payload) {
      if (failure) return Promise.reject(stopped());
      if (payload.length === 0) return Promise.reject(new Error('A journal record cannot be empty'));
      const header = Buffer.alloc(frameHeaderBytes);
      header.writeUInt32LE(payload.length, 0);
      header.writeUInt32LE(crc32(payload), 4);
      queue.push(header, payload);
      size += frameHeaderBytes + payload.length;
      return schedule();
    },
    durable() {
      if (failure) return Promise.reject(stopped());
      return nextBatch ?? batch ?? Promise.resolve();
    },
    async read(offset) {
      const header = Buffer.alloc(frameHeaderBytes);
      await file.read(header, 0, frameHeaderBytes, offset);
      const payload = Buffer.alloc(header.readUInt32LE(0));
      await file.read(payload, 0, payload.length, offset + frameHeaderBytes);
      if (crc32(payload) !== header.readUInt32LE(4))
        throw new Error(`Journal record at ${offset} is damaged`);
      return payload;
    },
    async close() {
      try {
        await (nextBatch ?? batch);
      } finally {
        await file.close();
      }
    },
  };
}
