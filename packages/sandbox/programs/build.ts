/** Builds the AMM: `node packages/sandbox/programs/build.ts`, needed only after amm.c changed. Takes clang. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkProgram } from './link-program.ts';

const directory = import.meta.dirname;
const scratch = mkdtempSync(join(tmpdir(), 'amm-'));
try {
  const object = join(scratch, 'amm.o');
  execFileSync(
    'clang',
    ['-O2', '-Wall', '-Wextra', '-Werror', '-fno-strict-aliasing', '-fno-builtin', '-target', 'bpfel'].concat(
      ['-c', join(directory, 'amm.c'), '-o', object],
    ),
    { stdio: 'inherit' },
  );
  const program = linkProgram(readFileSync(object));
  const hash = createHash('sha256').update(program).digest('hex');
  writeFileSync(join(directory, 'amm.so'), program);
  // The format of sha256sum, which can check it too.
  writeFileSync(join(directory, 'amm.so.sha256'), `${hash}  amm.so\n`);
  process.stdout.write(`amm.so: ${program.length} bytes, sha256 ${hash}\n`);
} finally {
  rmSync(scratch, { recursive: true });
}
