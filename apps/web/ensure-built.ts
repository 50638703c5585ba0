import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Builds the web app unless what is in dist was made from just these sources.
const root = import.meta.dirname;
const stampFile = join(root, 'dist', '.vite', 'sources');
const SOURCES = [
  'index.html',
  'package.json',
  '*.ts',
  'src/**',
  '../../packages/contract/src/**',
  '../../package-lock.json',
];

function sourcesHash(): string {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).toSorted()) {
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

const wanted = sourcesHash();
if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== wanted) {
  process.stdout.write('Building the web app (first start, or its sources changed)\n');
  // Whatever started us: Vite would build what React has for developers.
  process.env['NODE_ENV'] = 'production';
  // Loaded only now: every start of the product waits for this file.
  const { build } = await import('vite');
  const { compressAssets } = await import('./compress-assets.ts');
  await build({ root, logLevel: 'warn' });
  await compressAssets(join(root, 'dist', 'assets'));
  writeFileSync(stampFile, wanted);
}
