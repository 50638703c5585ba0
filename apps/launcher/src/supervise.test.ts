import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { supervise, type Run, type RunEnd, type Supervised } from './supervise.ts';

/** A run whose course the test decides. */
function fakeRun(pid: number): Run<number> & { serve(): void; end(how: RunEnd): void } {
  const ready = Promise.withResolvers<number>();
  const ended = Promise.withResolvers<RunEnd>();
  return {
    pid,
    ready: ready.promise,
    ended: ended.promise,
    serve: () => ready.resolve(pid),
    end: ended.resolve,
    async stop() {
      ended.resolve({ how: 'stopped', gaveUp: false });
    },
  };
}

const CRASH: RunEnd = { how: 'exit code 1', gaveUp: true };

describe('supervise', () => {
  let runs: ReturnType<typeof fakeRun>[];
  let reports: string[];
  let part: Supervised<number>;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    runs = [];
    reports = [];
    part = supervise({
      name: 'part',
      report: (line) => reports.push(line),
      start: async () => {
        const run = fakeRun(runs.length + 1);
        runs.push(run);
        return run;
      },
    });
    await vi.advanceTimersByTimeAsync(0);
  });

  afterEach(async () => {
    await part.stop();
    vi.useRealTimers();
  });

  async function crash(): Promise<void> {
    runs.at(-1)?.end(CRASH);
    await vi.advanceTimersByTimeAsync(0);
  }

  it('rejects when the part gives up before it ever served, and does not try again', async () => {
    await crash();
    await expect(part.ready()).rejects.toMatchObject({
      code: 'PART_FAILED',
      message: 'The part did not start: exit code 1',
    });
    expect(runs).toHaveLength(1);
  });

  it('tries again when the part is killed before it served', async () => {
    runs[0]?.end({ how: 'signal SIGKILL', gaveUp: false });
    await vi.advanceTimersByTimeAsync(0);
    runs[1]?.serve();
    expect(await part.ready()).toBe(2);
  });

  it('starts it again at once, then after growing pauses of at most 5 s', async () => {
    runs[0]?.serve();
    await vi.advanceTimersByTimeAsync(0);
    await crash();
    expect(runs).toHaveLength(2);
    for (const pauseMs of [200, 500, 1_000, 2_000, 5_000, 5_000]) {
      const count = runs.length;
      await crash();
      await vi.advanceTimersByTimeAsync(pauseMs - 1);
      expect(runs).toHaveLength(count);
      await vi.advanceTimersByTimeAsync(1);
      expect(runs).toHaveLength(count + 1);
    }
    expect(reports.at(-1)).toBe('part ended (exit code 1); starting it again in 5000 ms');
    expect(part.restarts).toBe(7);
  });

  it('starts it at once again after it has served for a while', async () => {
    for (let round = 1; round <= 3; round += 1) {
      runs.at(-1)?.serve();
      await vi.advanceTimersByTimeAsync(1_000);
      await crash();
      expect(runs).toHaveLength(round + 1);
    }
  });

  it('means the next run by ready as soon as the present one is killed', async () => {
    const doomed = fakeRun(process.pid);
    await part.stop();
    const next = fakeRun(2);
    const queue = [doomed, next];
    const starting = supervise({
      name: 'part',
      report: () => undefined,
      start: async () => queue.shift() ?? fakeRun(3),
    });
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    doomed.serve();
    await starting.ready();
    starting.kill('SIGKILL');
    let value: number | undefined;
    const waiting = starting.ready().then((pid) => (value = pid));
    await vi.advanceTimersByTimeAsync(0);
    expect(value).toBeUndefined();

    doomed.end({ how: 'signal SIGKILL', gaveUp: false });
    await vi.advanceTimersByTimeAsync(0);
    next.serve();
    await waiting;
    expect(value).toBe(2);
    kill.mockRestore();
    await starting.stop();
  });

  it('restarts on request without a pause or a report', async () => {
    runs[0]?.serve();
    await part.ready();
    await part.restart();
    await vi.advanceTimersByTimeAsync(0);
    expect(runs).toHaveLength(2);
    expect(reports).toEqual([]);
  });

  it('does not start it again after stop, not even out of a pause', async () => {
    runs[0]?.serve();
    await vi.advanceTimersByTimeAsync(0);
    await crash();
    await crash();
    await part.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs).toHaveLength(2);
    expect(part.pid).toBeUndefined();
  });
});
