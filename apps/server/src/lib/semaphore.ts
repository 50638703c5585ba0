/** Lets at most `limit` of the given tasks run at a time; the others wait in order. */
export function createSemaphore(limit: number) {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async function run<T>(task: () => Promise<T>): Promise<T> {
    if (running < limit) running++;
    // Whoever ends passes its place on, so that nobody can slip in between.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
