import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const programs = join(import.meta.dirname, '../../programs');

/** The AMM's binary, refused unless it is the one whose SHA-256 `programs/build.ts` wrote down. */
export async function readAmmProgram(directory = programs): Promise<Buffer> {
  const [program, record] = await Promise.all([
    readFile(join(directory, 'amm.so')),
    readFile(join(directory, 'amm.so.sha256'), 'utf8'),
  ]);
  const expected = record.slice(0, 64);
  const found = createHash('sha256').update(program).digest('hex');
  if (found !== expected)
    throw new Error(`amm.so has SHA-256 ${found}, expected ${expected}: build it again`);
  return program;
}
