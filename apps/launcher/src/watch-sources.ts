import { watch } from 'node:fs';
import { join } from 'node:path';

const QUIET_MS = 150;

/**
 * Calls `onChange` after source files in these folders changed: once for a burst of changes, as an editor or a
 * checkout makes them.
 *
 * @returns stops watching
 */
export function watchSources(root: string, folders: string[], onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watchers = folders.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (file === null || !file.endsWith('.ts') || file.endsWith('.test.ts')) return;
      clearTimeout(timer);
      timer = setTimeout(onChange, QUIET_MS);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
