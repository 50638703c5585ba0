import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchSources } from './watch-sources.ts';

describe('watchSources', () => {
  let root: string;
  let stop: () => void;
  const onChange = vi.fn<() => void>();

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kervan-watch-'));
    mkdirSync(join(root, 'src', 'deep'), { recursive: true });
    onChange.mockReset();
    stop = watchSources(root, ['src'], onChange);
  });

  afterEach(() => {
    stop();
    rmSync(root, { recursive: true });
  });

  it('tells once of a burst of changes', async () => {
    for (const name of ['a.ts', 'b.ts', 'deep/c.ts']) writeFileSync(join(root, 'src', name), '');
    await expect.poll(() => onChange.mock.calls.length).toBe(1);
  });

  it('does not tell of tests and other files', async () => {
    writeFileSync(join(root, 'src', 'a.test.ts'), '');
    writeFileSync(join(root, 'src', 'notes.md'), '');
    // Changes are reported in order: once this one was, the others would have been.
    writeFileSync(join(root, 'src', 'a.ts'), '');
    await expect.poll(() => onChange.mock.calls.length).toBe(1);
  });
});
