import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { createFakeNetworks, TOKENS } from './fake-networks.ts';
import { startTestServer, type TestServer } from './harness.ts';

const BOTS = 30;
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const workers: ChildProcess[] = [];

afterEach(() => {
  for (const worker of workers) worker.kill('SIGKILL');
});

async function startWorker(server: TestServer): Promise<ChildProcess> {
  const worker = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: server.config.databaseUrl,
      KERVAN_DATA_DIR: server.config.dataDir,
      KERVAN_ROLE: 'worker',
      PORT: '0',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  workers.push(worker);
  await once(worker, 'message');
  return worker;
}

test('when a worker is killed in the middle of its runs, another does each of them once', async () => {
  const server = await startTestServer({ networks: createFakeNetworks(), isWorking: false });
  // Without workers of its own: it only queues.
  await server.services.scheduler.start();
  const user = await server.registerUser();
  const { data: wallet } = await user.call('createWallet', { body: { name: 'W' } });
  const body = {
    name: 'Bot',
    wallet_id: wallet.id,
    action: 'buy' as const,
    amount_min: 1,
    amount_max: 2,
    range_time_min: 5,
    range_time_max: 6,
    token_address: TOKENS.solana,
  };
  for (let index = 0; index < BOTS; index++) {
    const { data: bot } = await user.call('createBot', { body });
    await user.call('startBot', { params: { id: bot.id } });
  }
  const runCounts = async () => {
    const rows = await server.db.selectFrom('bots').select('run_count').execute();
    return rows.map((row) => Number(row.run_count));
  };
  const atLeast = async (runs: number, bots: number, timeout: number) =>
    await vi.waitFor(
      async () =>
        expect((await runCounts()).filter((count) => count >= runs).length).toBeGreaterThanOrEqual(bots),
      { timeout, interval: 5 },
    );

  const first = await startWorker(server);
  await atLeast(1, 5, 15_000);
  const exit = once(first, 'exit');
  first.kill('SIGKILL');
  await exit;
  await startWorker(server);
  // Each bot's next run is at most 6 s away, and what the dead worker held comes back within 10 s.
  await atLeast(2, BOTS, 20_000);

  const [bots, trades, lines] = await server.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => [
      await trx.selectFrom('bots').select(['id', 'run_count']).execute(),
      await trx.selectFrom('trades').select(['source_id', 'idempotency_key']).execute(),
      await trx.selectFrom('bot_logs').select(['bot_id', 'data']).execute(),
    ]);
  for (const bot of bots) {
    for (let run = 0; run < bot.run_count; run++) {
      const key = `bot:${bot.id}:run:${run}`;
      const planned = trades.filter((trade) => trade.idempotency_key === key).length;
      const told = lines.flatMap(({ bot_id, data }) => {
        // Every line of a bot has these; of a run's two, the end of its trade has no number.
        const line = data as { code: string; run?: number };
        return bot_id === bot.id && line.run === run + 1 ? [line.code] : [];
      });
      // Either its trade, or (while the dead worker's trade was still open) why there is none.
      expect([told, planned]).toEqual(planned === 1 ? [['RUN_PLANNED'], 1] : [['COULD_NOT_TRADE'], 0]);
    }
  }
});
