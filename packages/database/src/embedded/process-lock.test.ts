import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireProcessLock, ProcessLockHeldError } from './process-lock.ts';

describe('acquireProcessLock', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kervan-lock-'));
    path = join(folder, 'below', 'lock');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('refuses a second holder and names the first', () => {
    acquireProcessLock(path);
    expect(() => acquireProcessLock(path)).toThrow(ProcessLockHeldError);
    expect(() => acquireProcessLock(path)).toThrow(String(process.pid));
  });

  it('can be taken again after it was released, and leaves no other file', () => {
    acquireProcessLock(path).release();
    const lock = acquireProcessLock(path);
    expect(readdirSync(join(folder, 'below'))).toEqual(['lock']);
    lock.release();
    lock.release();
    expect(readdirSync(join(folder, 'below'))).toEqual([]);
  });

  it('takes over from a dead process', () => {
    acquireProcessLock(path).release();
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(path, JSON.stringify({ pid, birth: 'then' }));
    acquireProcessLock(path);
    expect(() => acquireProcessLock(path)).toThrow(String(process.pid));
  });

  it('takes over when the pid has been given to another process since', () => {
    acquireProcessLock(path).release();
    writeFileSync(path, JSON.stringify({ pid: process.ppid, birth: 'another day' }));
    expect(() => acquireProcessLock(path)).not.toThrow();
  });

  it('takes over a file that a crash left empty', () => {
    acquireProcessLock(path).release();
    writeFileSync(path, '');
    expect(() => acquireProcessLock(path)).not.toThrow();
  });
});
