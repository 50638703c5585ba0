import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What the browser may have to load, gzipped: before the first screen, and more for any one view. */
const INITIAL_MAX_BYTES = 220_000;
const LAZY_MAX_BYTES = 60_000;

/** The part of Vite's manifest that says which chunk needs which. */
interface Chunk {
  file: string;
  imports?: string[];
  isEntry?: boolean;
  isDynamicEntry?: boolean;
}

const dist = join(import.meta.dirname, 'dist');
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));

function withImports(key: string, seen = new Set<string>()): Set<string> {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const needed of manifest[key]?.imports ?? []) withImports(needed, seen);
  return seen;
}

function gzipBytes(keys: Iterable<string>): number {
  let bytes = 0;
  for (const key of keys) {
    const file = manifest[key]?.file;
    if (file?.endsWith('.js')) bytes += gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
  }
  return bytes;
}

function report(name: string, bytes: number, max: number): boolean {
  const isOver = bytes > max;
  const kB = (value: number) => `${(value / 1000).toFixed(1)} kB`;
  process.stdout.write(`${isOver ? 'OVER ' : '     '}${kB(bytes).padStart(9)} of ${kB(max)}  ${name}\n`);
  return isOver;
}

const entries = Object.entries(manifest);
const initial = new Set(
  entries.filter(([, chunk]) => chunk.isEntry).flatMap(([key]) => [...withImports(key)]),
);
const shellKey = entries.find(([key]) => key.endsWith('app/signed-in.tsx'))?.[0];
if (initial.size === 0 || shellKey === undefined) throw new Error('the manifest names no entry or no shell');
// Every view is opened from within the shell.
const shell = withImports(shellKey);

let isOver = report('initial', gzipBytes(initial), INITIAL_MAX_BYTES);
for (const [key, chunk] of entries) {
  if (!chunk.isDynamicEntry) continue;
  const known = key === shellKey ? initial : new Set([...initial, ...shell]);
  isOver =
    report(key, gzipBytes([...withImports(key)].filter((needed) => !known.has(needed))), LAZY_MAX_BYTES) ||
    isOver;
}
process.exitCode = isOver ? 1 : 0;
