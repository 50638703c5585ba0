import { randomUUID } from 'node:crypto';
import {
  BSC_CHAIN_IDS,
  routes,
  type BotLog,
  type Session,
  type SolanaBot,
  type SolanaWallet,
} from '@kervan/contract';
import { pino } from 'pino';
import { addAuthentication } from '../../apps/server/src/http/authenticate.ts';
import { createHttpServer } from '../../apps/server/src/http/create-http-server.ts';
import { register } from '../../apps/server/src/http/register.ts';
import { addWebApp } from '../../apps/server/src/http/web-app.ts';
import { createRealtime } from '../../apps/server/src/realtime/socket-server.ts';

/** The server's own web app, routes and sockets around one bot that does what the benchmark says. */
export interface ConsoleServer {
  readonly url: string;
  /** For the browser's storage: a page that has it is signed in. */
  readonly session: Session;
  readonly bot: SolanaBot;
  log(entry: BotLog): void;
}

const HOUR_MS = 3_600_000;

/** Runs `use` with such a server, and closes that however it ends. */
export async function withConsoleServer<T>(use: (server: ConsoleServer) => Promise<T>): Promise<T> {
  const logger = pino({ level: 'silent' });
  const isHostAllowed = (): boolean => true;
  const user = { id: randomUUID(), username: 'bench', sessionId: randomUUID() };
  const expiresAt = new Date(Date.now() + HOUR_MS);
  const bot = createBot();
  const limits = { maxNativePerTrade: null, maxNativePerWalletPerDay: null };
  const chosen = { network: 'sandbox', limits } as const;

  const app = await createHttpServer({ log: logger, isHostAllowed, onRequestEnded: () => {} });
  addAuthentication(app, async () => user);
  await addWebApp(app);
  register(app, routes.listWallets, async () => [walletOf(bot)]);
  register(app, routes.walletBalances, async () => ({}));
  register(app, routes.listBots, async () => [bot]);
  register(app, routes.botLogs, async () => []);
  register(app, routes.listBscWallets, async () => []);
  register(app, routes.listBscBots, async () => []);
  register(app, routes.listNetworks, async () => []);
  register(app, routes.getHalt, async () => ({ halted: false }));
  register(app, routes.getSettings, async () => ({
    solana: { ...chosen, providerKey: null },
    bsc: { ...chosen, chainId: BSC_CHAIN_IDS.sandbox, rpcUrl: null },
  }));
  const realtime = createRealtime();
  realtime.attach(app.server, {
    log: logger,
    isHostAllowed,
    authenticate: async () => ({ ...user, expiresAt }),
    bots: { start: async () => {}, stop: async () => {} },
  });
  try {
    return await use({
      url: await app.listen({ host: '127.0.0.1', port: 0 }),
      session: { access_token: unsignedToken(expiresAt), user: { id: user.id, username: user.username } },
      bot,
      log: (entry) => realtime.emit(user.id, 'bot:log', entry),
    });
  } finally {
    realtime.disconnectAll();
    await app.close();
    await realtime.close();
  }
}

function createBot(): SolanaBot {
  const createdAt = new Date().toISOString();
  return {
    id: randomUUID(),
    name: 'Bench',
    wallet_id: randomUUID(),
    action: 'buy',
    amount_min: 0.1,
    amount_max: 0.5,
    range_time_min: 30,
    range_time_max: 60,
    is_active: true,
    last_run: null,
    created_at: createdAt,
    execution_count: 0,
    network: 'sandbox',
    token_address: 'So11111111111111111111111111111111111111112',
    token_symbol: 'CAMEL',
    nextRunAt: Date.now() + HOUR_MS,
    intervalSec: 60,
  };
}

function walletOf(bot: SolanaBot): SolanaWallet {
  return {
    id: bot.wallet_id,
    name: 'Bench',
    public_key: 'So11111111111111111111111111111111111111112',
    created_at: bot.created_at,
  };
}

/** A page reads no more of its token than when that expires. */
function unsignedToken(expiresAt: Date): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ exp: Math.floor(expiresAt.getTime() / 1000) })}.bench`;
}
