import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canEnter, canRead } from './service-user.ts';

const STRANGER = { uid: 4_000_001, gid: 4_000_001 };

describe('what a user can reach', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kervan-reach-'));
    mkdirSync(join(folder, 'inner'), { mode: 0o755 });
    writeFileSync(join(folder, 'inner', 'file'), '', { mode: 0o644 });
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('is nothing below a folder that is closed to him', () => {
    chmodSync(folder, 0o700);
    expect(canEnter(join(folder, 'inner'), STRANGER)).toBe(false);
    expect(canRead(join(folder, 'inner', 'file'), STRANGER)).toBe(false);
  });

  it('is everything open below a folder that can be passed but not listed', () => {
    chmodSync(folder, 0o711);
    expect(canEnter(join(folder, 'inner'), STRANGER)).toBe(true);
    expect(canRead(join(folder, 'inner', 'file'), STRANGER)).toBe(true);
    expect(canRead(folder, STRANGER)).toBe(false);
  });
});
