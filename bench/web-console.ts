import { setTimeout as delay } from 'node:timers/promises';
import { withBrowser, withPage, type BenchPage } from './lib/browser.ts';
import { withConsoleServer, type ConsoleServer } from './lib/console-server.ts';
import { isTrade, logLine } from './lib/log-lines.ts';
import type { BenchOptions } from './lib/options.ts';
import { atLeast, atMost, megabytes, milliseconds, perSecond, type Figure } from './lib/report.ts';

const LINES_PER_SECOND = 1_000;
const SECONDS = 30;
/** Until every list is as full as it gets and the code is compiled. */
const WARM_UP_SECONDS = 5;
const EVERY_MS = 10;
const CLICK_EVERY_MS = 1_000;
const LEVELS = ['Info', 'Success', 'Warning', 'Error', 'All'] as const;

const LONG_TASK_LIMIT_MS = 100;
/** What is called a good answer to an interaction (web.dev/articles/inp). */
const CLICK_LIMIT_MS = 200;
/** A console that kept its 30,000 lines would grow by far more. */
const GROWTH_LIMIT_BYTES = 2e6;

/** What the console makes of a bot that says far more than anybody can read. */
export async function webConsole(options: BenchOptions): Promise<Figure[]> {
  return await withConsoleServer((server) =>
    withBrowser((browser) => withPage(browser, signedIn(server), (bench) => measure(server, bench, options))),
  );
}

async function measure(
  server: ConsoleServer,
  bench: BenchPage,
  { rate = LINES_PER_SECOND, seconds = SECONDS, warmUpSeconds = WARM_UP_SECONDS }: BenchOptions,
): Promise<Figure[]> {
  const { page } = bench;
  await page.goto('/');
  await page.getByRole('button', { name: 'Sol Bots', exact: true }).click();
  await page.getByRole('button', { name: 'Console', exact: true }).click();
  await page.getByText('Live', { exact: true }).waitFor();

  const warmedUp = await pour(server, { from: 0, rate, seconds: warmUpSeconds });
  await allShown(bench, warmedUp.sent);
  const bytesBefore = await heapBytes(bench);
  const before = await bench.notes();

  const clicking = new AbortController();
  const clicks = clickThrough(bench, clicking.signal);
  const { sent, perSecond: sentPerSecond } = await pour(server, { from: warmedUp.sent, rate, seconds });
  const lastSentAt = performance.now();
  await allShown(bench, sent);
  const caughtUpMs = performance.now() - lastSentAt;
  clicking.abort();
  await clicks;
  const after = await bench.notes();
  const bytesAfter = await heapBytes(bench);

  const longTasks = after.longTasksMs.slice(before.longTasksMs.length);
  const answers = after.clicksMs.slice(before.clicksMs.length);
  return [
    atLeast('console: log lines sent over the socket', sentPerSecond, rate * 0.98, perSecond),
    // Shorter ones are not told apart by browsers.
    atMost('console: longest task of the page', Math.max(50, ...longTasks), LONG_TASK_LIMIT_MS, milliseconds),
    { claim: 'console: tasks of more than 50 ms', measured: String(longTasks.length) },
    atMost('console: slowest answer to a click', Math.max(16, ...answers), CLICK_LIMIT_MS, milliseconds),
    { claim: 'console: all lines counted after the last was sent', measured: milliseconds(caughtUpMs) },
    { claim: 'console: memory of its objects at the end', measured: megabytes(bytesAfter) },
    atMost('console: memory gained meanwhile', bytesAfter - bytesBefore, GROWTH_LIMIT_BYTES, megabytes),
  ];
}

function signedIn({ url, session }: ConsoleServer) {
  const localStorage = [
    { name: 'auth_token', value: session.access_token },
    { name: 'user_data', value: JSON.stringify(session.user) },
  ];
  return { baseURL: url, storageState: { cookies: [], origins: [{ origin: url, localStorage }] } };
}

/** Sends lines evenly. Answers how many there have been with those before. */
async function pour(
  server: ConsoleServer,
  { from, rate, seconds }: { from: number; rate: number; seconds: number },
): Promise<{ sent: number; perSecond: number }> {
  const startedAt = performance.now();
  let n = from;
  for (;;) {
    const elapsed = (performance.now() - startedAt) / 1000;
    const due = from + Math.floor(Math.min(elapsed, seconds) * rate);
    while (n < due) server.log(logLine(server.bot.id, n++));
    if (elapsed >= seconds) return { sent: n, perSecond: (n - from) / elapsed };
    await delay(EVERY_MS);
  }
}

/** Goes through the level filter, as somebody who looks for something does. */
async function clickThrough({ page }: BenchPage, signal: AbortSignal): Promise<void> {
  const filter = page.getByRole('group', { name: 'Level' });
  while (!signal.aborted) {
    for (const name of LEVELS) {
      await filter.getByRole('button', { name }).click();
      await delay(CLICK_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }
}

/** The console counts every trade: when the number is right, no line was lost. */
async function allShown({ page }: BenchPage, lines: number): Promise<void> {
  const trades = Array.from({ length: lines }, (_, n) => n).filter(isTrade).length;
  const shown = new Intl.NumberFormat('en').format(trades);
  await page.locator('dd').getByText(shown, { exact: true }).waitFor();
}

/** What the page's objects take after everything that nobody holds has been thrown away. */
async function heapBytes({ protocol }: BenchPage): Promise<number> {
  // What finalizers let go of in the first round is collected in the second.
  for (let round = 0; round < 2; round++) await protocol.send('HeapProfiler.collectGarbage');
  return (await protocol.send('Runtime.getHeapUsage')).usedSize;
}
