import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAmmProgram } from './amm-program.ts';

describe('the AMM’s binary', () => {
  it('is loaded only while it is the one that was built', async () => {
    const program = await readAmmProgram();
    expect(program.subarray(1, 4).toString()).toBe('ELF');
    const directory = await mkdtemp(join(tmpdir(), 'kervan-amm-'));
    try {
      await cp(join(import.meta.dirname, '../../programs'), directory, { recursive: true });
      program.writeUInt8(program.readUInt8(1000) ^ 1, 1000);
      await writeFile(join(directory, 'amm.so'), program);
      await expect(readAmmProgram(directory)).rejects.toThrow('SHA-256');
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
