import { withStack } from './lib/bench-stack.ts';
import { withBrowser, withPage, type BenchPage } from './lib/browser.ts';
import type { BenchOptions } from './lib/options.ts';
import { median } from './lib/percentiles.ts';
import { atMost, seconds, type Figure } from './lib/report.ts';
import { withTemporaryFolder } from './lib/temporary-folder.ts';

const VISITS = 5;
const LIMIT_SEC = 2.5;
const ROUND_TRIP_MS = 150;
const BYTES_PER_SECOND = 1.6e6 / 8;
const CPU_SLOWDOWN = 4;
const PASSWORD = 'correct horse battery';

interface Visit {
  /** Until the form was painted. */
  readonly painted: number;
  /** Until Enter in the empty form was answered by what is wrong with it, painted. */
  readonly answered: number;
  /** From Enter in the filled form to the painted dashboard. */
  readonly signedIn: number;
}

/** How long a first visit takes over a slow line on a slow device: nothing is cached, and the browser has just begun. */
export async function webSignin(options: BenchOptions): Promise<Figure[]> {
  const visits = await withTemporaryFolder((folder) =>
    withStack(folder, options, ({ url }) => makeVisits(url), { sandbox: false }),
  );
  const of = (name: keyof Visit) => visits.map((visit) => visit[name] / 1000);
  const claim = `${VISITS} first visits at ${ROUND_TRIP_MS} ms, 1.6 Mbit/s, CPU ${CPU_SLOWDOWN}x slower`;
  return [
    { claim: `sign-in painted, median of ${claim}`, measured: seconds(median(of('painted'))) },
    { claim: 'sign-in painted and answering, median', measured: seconds(median(of('answered'))) },
    atMost('sign-in painted and answering, longest', Math.max(...of('answered')), LIMIT_SEC, seconds),
    {
      claim: 'from a new account’s Enter to the dashboard, median',
      measured: seconds(median(of('signedIn'))),
    },
  ];
}

async function makeVisits(url: string): Promise<Visit[]> {
  const visits: Visit[] = [];
  while (visits.length < VISITS) {
    const username = `visitor-${visits.length}`;
    visits.push(
      await withBrowser((browser) => withPage(browser, { baseURL: url }, (page) => visit(page, username))),
    );
  }
  return visits;
}

async function visit(bench: BenchPage, username: string): Promise<Visit> {
  const { page } = bench;
  await slowDown(bench);
  await page.goto('/', { waitUntil: 'commit' });
  const painted = await bench.moment('formMs');
  await page.keyboard.press('Enter');
  const answered = await bench.moment('answerMs');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByLabel('Username', { exact: true }).fill(username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const enterAt = await page.evaluate(() => performance.now());
  await page.keyboard.press('Enter');
  const signedIn = (await bench.moment('homeMs')) - enterAt;
  return { painted, answered, signedIn };
}

async function slowDown({ protocol }: BenchPage): Promise<void> {
  await protocol.send('Network.enable');
  await protocol.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: ROUND_TRIP_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  });
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}
