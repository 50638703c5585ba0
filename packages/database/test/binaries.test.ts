import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyPrograms, findPackage, prepareBinaries } from '../src/embedded/binaries.ts';

describe('the Postgres programs', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kervan-binaries-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('run where npm put them when the user can read them there', () => {
    const { initdb } = prepareBinaries(join(folder, 'copy'), undefined);
    expect(execFileSync(initdb, ['--version'], { encoding: 'utf8' })).toMatch(/^initdb \(PostgreSQL\) 18\./);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('run as a copy whose links do not lead back to the original', () => {
    // The original has its links by now, so that the copy finds links to copy.
    prepareBinaries(join(folder, 'unused'), undefined);
    const copy = join(folder, 'copy');
    copyPrograms(findPackage().root, copy);
    const links = readdirSync(join(copy, 'native', 'lib'), { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .map((entry) => readlinkSync(join(entry.parentPath, entry.name)));
    expect(links.filter((link) => isAbsolute(link))).toEqual([]);
    const postgres = join(copy, 'native', 'bin', 'postgres');
    expect(execFileSync(postgres, ['--version'], { encoding: 'utf8' })).toMatch(/PostgreSQL\) 18\./);
    expect(readdirSync(folder)).toEqual(['copy']);
  });
});
