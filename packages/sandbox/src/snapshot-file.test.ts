import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSnapshot, writeSnapshot } from './snapshot-file.ts';

describe('a snapshot', () => {
  let directory: string;
  let path: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kervan-snapshot-'));
    path = join(directory, 'state.snapshot');
  });
  afterEach(() => rm(directory, { recursive: true }));

  const read = async (): Promise<string | undefined> => (await readSnapshot(path))?.toString();

  it('is the newest one written', async () => {
    expect(await read()).toBeUndefined();
    await writeSnapshot(path, Buffer.from('one'));
    await writeSnapshot(path, Buffer.from('two'));
    expect(await read()).toBe('two');
  });

  it('is the one before where the newest is damaged, missing or half written', async () => {
    await writeSnapshot(path, Buffer.from('one'));
    await writeSnapshot(path, Buffer.from('two'));
    await writeFile(`${path}.tmp`, 'half');
    await truncate(path, 9);
    expect(await read()).toBe('one');
    await rm(path);
    expect(await read()).toBe('one');
  });
});
