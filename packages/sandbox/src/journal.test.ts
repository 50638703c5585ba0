import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournal } from './journal.ts';

describe('a journal', () => {
  let directory: string;
  let path: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kervan-journal-'));
    path = join(directory, 'test.journal');
  });
  afterEach(() => rm(directory, { recursive: true }));

  async function write(...texts: string[]): Promise<void> {
    const { journal } = await openJournal(path);
    await Promise.all(texts.map((text) => journal.append(Buffer.from(text))));
    await journal.close();
  }

  async function read(): Promise<string[]> {
    const { journal, records } = await openJournal(path);
    await journal.close();
    return records.map(({ payload }) => payload.toString());
  }

  it('gives records back in order, however many were appended at once', async () => {
    const texts = Array.from({ length: 500 }, (_, index) => `record ${index}`);
    await write(...texts);
    await write('later');
    expect(await read()).toEqual([...texts, 'later']);
  });

  it('reads a record back by its offset', async () => {
    const { journal } = await openJournal(path);
    await journal.append(Buffer.from('first'));
    const offset = journal.size;
    await journal.append(Buffer.from('second'));
    expect((await journal.read(offset)).toString()).toBe('second');
    await journal.close();
    expect((await openJournal(path)).records[1]?.offset).toBe(offset);
  });

  it('cuts a torn tail off at every possible length, and goes on from there', async () => {
    await write('whole', 'torn');
    const content = await readFile(path);
    for (let length = content.length - 1; length > content.length - 12; length -= 1) {
      await writeFile(path, content);
      await truncate(path, length);
      expect(await read()).toEqual(['whole']);
      await write('next');
      expect(await read()).toEqual(['whole', 'next']);
    }
  });

  it('takes neither zeroes nor a damaged record for one', async () => {
    await write('whole');
    await appendFile(path, Buffer.alloc(64));
    expect(await read()).toEqual(['whole']);
    await write('damaged');
    const content = await readFile(path);
    content[content.length - 1] = 0;
    await writeFile(path, content);
    expect(await read()).toEqual(['whole']);
  });

  it('waits, before it writes, for the journal it continues', async () => {
    const earlier = Promise.withResolvers<void>();
    const { journal } = await openJournal(path, { writeAfter: () => earlier.promise });
    const appended = journal.append(Buffer.from('record'));
    expect((await readFile(path)).length).toBe(0);
    earlier.resolve();
    await appended;
    expect((await readFile(path)).length).toBeGreaterThan(0);
    await journal.close();
  });

  it('acknowledges nothing more once a write has failed', async () => {
    const failure = new Error('disk full');
    const { journal } = await openJournal(path, { writeAfter: () => Promise.reject(failure) });
    await expect(journal.append(Buffer.from('record'))).rejects.toThrow('disk full');
    await expect(journal.append(Buffer.from('record'))).rejects.toThrow('stopped');
    await expect(journal.durable()).rejects.toThrow('stopped');
  });
});
