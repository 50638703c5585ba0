/** Remembers what was made for a key; what fails, or is not to be kept, is made anew the next time. */
export function createCache<T>(options: {
  /** Beyond so many keys the oldest go. */
  readonly max: number;
  readonly ttlMs: (value: T) => number;
  readonly now: () => number;
}) {
  const entries = new Map<string, { value: Promise<T>; until: number }>();

  /** The value of the key; those who ask while it is being made get the same one. */
  return (key: string, make: () => Promise<T>): Promise<T> => {
    const known = entries.get(key);
    if (known && options.now() < known.until) return known.value;
    const entry = { value: make(), until: Number.POSITIVE_INFINITY };
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > options.max && oldest !== undefined) entries.delete(oldest);
    entry.value.then(
      (value) => (entry.until = options.now() + options.ttlMs(value)),
      () => {
        if (entries.get(key) === entry) entries.delete(key);
      },
    );
    return entry.value;
  };
}
