/** One run of a part of the stack. */
export interface Run<R> {
  pid: number | undefined;
  /** Resolves with what the part says of itself once it serves; never settles if it ends before. */
  ready: Promise<R>;
  /** Resolves when the run is over, however it ended. Never rejects. */
  ended: Promise<RunEnd>;
  /** Ends the run cleanly, by force if it takes too long. */
  stop(): Promise<void>;
}

export interface RunEnd {
  /** Exit code, signal or error, in words. */
  how: string;
  /** Whether it gave up by itself, as a part does that finds its configuration wrong; false when it was killed. */
  gaveUp: boolean;
}

export interface Supervised<R> {
  readonly name: string;
  readonly pid: number | undefined;
  /** How often it was started again. */
  readonly restarts: number;
  /**
   * Resolves when the part serves: at once, or after the restart that is under way.
   * @throws PartFailedError if it gave up before it ever served
   */
  ready(): Promise<R>;
  /** @returns false when there was no process to signal */
  kill(signal: NodeJS.Signals): boolean;
  /** Stops the run and starts another at once. */
  restart(): Promise<void>;
  /** Stops the part for good. Safe to call twice. */
  stop(): Promise<void>;
}

/** Thrown when a part ended before it served for the first time: trying again would not help. */
export class PartFailedError extends Error {
  override readonly name = 'PartFailedError';
  readonly code = 'PART_FAILED';
  readonly part: string;

  constructor(part: string, how: string) {
    super(`The ${part} did not start: ${how}`);
    this.part = part;
  }
}

/** Waits before the n-th restart in a row; a run that served for a while ends the row. */
const BACKOFF_MS = [0, 200, 500, 1_000, 2_000, 5_000];
const STABLE_MS = 1_000;

const DEADLY = new Set<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGABRT', 'SIGKILL']);

/**
 * Keeps one part running: starts it, and starts it again whenever it ends by itself, at once the first time,
 * then after growing pauses.
 *
 * @param options.start makes one run; a rejection counts as a run that gave up
 * @param options.report is told in a line of every end that was not asked for
 */
export function supervise<R>(options: {
  name: string;
  start: () => Promise<Run<R>>;
  report: (line: string) => void;
}): Supervised<R> {
  const { name, start, report } = options;
  const stopping = new AbortController();
  let current: { run: Run<R>; servesSince?: number; isDoomed: boolean } | undefined;
  let restarts = 0;
  let isRestartAsked = false;
  let hasServed = false;
  let serving = untilServing<R>();

  /** From the moment a run is told to end, `ready` means the next one. */
  function doom(): void {
    if (current === undefined || current.isDoomed) return;
    current.isDoomed = true;
    if (current.servesSince !== undefined) serving = untilServing<R>();
  }

  /** @returns how the run ended and for how long it served */
  async function runOnce(): Promise<RunEnd & { servedMs: number }> {
    let run: Run<R>;
    try {
      run = await start();
    } catch (error) {
      return { how: error instanceof Error ? error.message : String(error), gaveUp: true, servedMs: 0 };
    }
    const state: NonNullable<typeof current> = { run, isDoomed: false };
    current = state;
    if (stopping.signal.aborted) void run.stop();
    const noteServing = (value: R): void => {
      if (state.isDoomed) return;
      hasServed = true;
      state.servesSince = performance.now();
      serving.resolve(value);
    };
    void run.ready.then(noteServing);
    const end = await run.ended;
    doom();
    current = undefined;
    return { ...end, servedMs: performance.now() - (state.servesSince ?? performance.now()) };
  }

  async function keepRunning(): Promise<void> {
    for (let failures = 0; ;) {
      const end = await runOnce();
      if (stopping.signal.aborted) break;
      if (!hasServed && end.gaveUp) {
        serving.reject(new PartFailedError(name, end.how));
        return;
      }
      restarts += 1;
      if (isRestartAsked) {
        isRestartAsked = false;
        continue;
      }
      if (end.servedMs >= STABLE_MS) failures = 0;
      const pauseMs = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 0;
      failures += 1;
      report(`${name} ended (${end.how}); starting it again${pauseMs > 0 ? ` in ${pauseMs} ms` : ''}`);
      await pause(pauseMs, stopping.signal);
      if (stopping.signal.aborted) break;
    }
    serving.reject(new PartFailedError(name, 'it was stopped'));
  }

  const finished = keepRunning();

  return {
    name,
    get pid() {
      return current?.run.pid;
    },
    get restarts() {
      return restarts;
    },
    ready: () => serving.promise,
    kill(signal) {
      const pid = current?.run.pid;
      if (pid === undefined) return false;
      if (DEADLY.has(signal)) doom();
      try {
        return process.kill(pid, signal);
      } catch {
        return false;
      }
    },
    async restart() {
      if (current === undefined) return;
      isRestartAsked = true;
      doom();
      await current.run.stop();
    },
    async stop() {
      stopping.abort();
      await current?.run.stop();
      await finished;
    },
  };
}

function untilServing<R>(): PromiseWithResolvers<R> {
  const serving = Promise.withResolvers<R>();
  // Nobody may be waiting when a part fails; those who are see the rejection all the same.
  serving.promise.catch(() => undefined);
  return serving;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
