const interruption = Promise.withResolvers<never>();
// Nobody may be waiting at that moment.
interruption.promise.catch(() => undefined);

/** Thrown in whatever is under way when the run is to end before its time. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => interruption.reject(new InterruptedError(signal)));

/** What `work` resolves with; rejects at once on Ctrl-C, so that whoever started something can stop it. */
export async function orInterrupted<T>(work: Promise<T>): Promise<T> {
  return await Promise.race([work, interruption.promise]);
}
