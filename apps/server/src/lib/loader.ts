/**
 * Loads by keys, and all that are asked for in the same turn of the event loop at once: many that each need one row
 * then cost one query. `load` answers what it found; a key that is not there is undefined.
 */
export function createLoader<T>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | undefined> {
  let current: { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, T>> } | undefined;

  function begin() {
    const keys = new Set<string>();
    const found = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      current = undefined;
      return load([...keys]);
    });
    return { keys, found };
  }

  return async (key) => {
    current ??= begin();
    current.keys.add(key);
    return (await current.found).get(key);
  };
}
