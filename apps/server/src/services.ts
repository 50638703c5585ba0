import type { Database, VolumeSessionRow } from '@kervan/database';
import { connect, migrate } from '@kervan/database';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { createExecutor, type Executor, type ExecutorDeps } from './engine/executor.ts';
import { LIVE_SERVICES, type LiveServices } from './engine/live-nodes.ts';
import { createNetworks, type Networks } from './engine/networks.ts';
import { createPriceSource, type PriceSource } from './engine/price-source.ts';
import { createScheduler, type Scheduler } from './engine/scheduler.ts';
import { createUserNodes } from './engine/user-nodes.ts';
import { createAccessTokens } from './features/auth/access-token.ts';
import { createAttemptLimiter } from './features/auth/attempt-limiter.ts';
import { createAuthRepository } from './features/auth/repository.ts';
import { createAuthService, type AuthService } from './features/auth/service.ts';
import { createBotLogs } from './features/bots/bot-log.ts';
import { createExecuteNow, type ExecuteNow } from './features/bots/execute-now.ts';
import { createBotRunner } from './features/bots/runner.ts';
import { createBotsService, type BotsService } from './features/bots/service.ts';
import { createBotSweeper } from './features/bots/sweeper.ts';
import { createBotSwitch } from './features/bots/switch.ts';
import { createBotTradeListener } from './features/bots/trade-listener.ts';
import { createEnterpriseService, type EnterpriseService } from './features/enterprise/service.ts';
import { createBalanceSamples } from './features/charts/balance-samples.ts';
import { createChartKeeper } from './features/charts/chart-keeper.ts';
import { createChartsService, type ChartsService } from './features/charts/service.ts';
import { createGasPriceService, type GasPriceService } from './features/fast-swap/gas-prices.ts';
import { createFastSwapService, type FastSwapService } from './features/fast-swap/service.ts';
import { createFastSwapTradeListener } from './features/fast-swap/trade-listener.ts';
import { createSandboxService, type SandboxService } from './features/sandbox/service.ts';
import { createHaltWatch } from './features/settings/halt-watch.ts';
import { createSettingsService, type SettingsService } from './features/settings/service.ts';
import { createSolanaRpcService, type SolanaRpcService } from './features/solana-rpc/service.ts';
import { createHealthCheck, type HealthCheck } from './features/system/health.ts';
import { createMetrics, type Metrics } from './features/system/metrics.ts';
import { createTokenDirectory } from './features/tokens/metadata.ts';
import { createTokensService, type TokensService } from './features/tokens/service.ts';
import { createTradesRepository, type TradesRepository } from './features/trades/repository.ts';
import { createVolumeService, type VolumeService } from './features/volume/service.ts';
import { createVolumeStart, type StartVolume } from './features/volume/start.ts';
import { createVolumeStepper, type StepCheckpoint } from './features/volume/stepper.ts';
import { createVolumeTradeListener } from './features/volume/trade-listener.ts';
import { createWalletsService, type WalletsService } from './features/wallets/service.ts';
import { createLedgerFolder } from './ledger/ledger-folder.ts';
import { systemClock, type Clock } from './lib/clock.ts';
import { createHousekeeping } from './lib/housekeeping.ts';
import { VERSION } from './lib/package-version.ts';
import { waitForDatabase } from './lib/wait-for-database.ts';
import { createRealtime, type Realtime } from './realtime/socket-server.ts';
import { openMasterKey } from './vault/master-key.ts';
import { createPastedKeys } from './vault/pasted-keys.ts';
import { passphrasePrompt } from './vault/passphrase-prompt.ts';
import { showPresence } from './vault/presence.ts';
import { createVault, type Vault } from './vault/vault.ts';
import { createWalletKeyReader } from './vault/wallet-secret.ts';

/** Everything the routes and the sockets work with. */
export interface Services {
  db: Database;
  vault: Vault;
  networks: Networks;
  prices: PriceSource;
  executor: Executor;
  scheduler: Scheduler;
  realtime: Realtime;
  auth: AuthService;
  charts: ChartsService;
  settings: SettingsService;
  solanaRpc: SolanaRpcService;
  sandbox: SandboxService;
  wallets: WalletsService;
  bots: BotsService;
  executeNow: ExecuteNow;
  volume: VolumeService;
  startVolume: StartVolume;
  fastSwaps: FastSwapService;
  gasPrices: GasPriceService;
  tokens: TokensService;
  trades: TradesRepository;
  enterprise: EnterpriseService;
  clock: Clock;
  checkHealth: HealthCheck;
  metrics: Metrics;
  /** Begins the work that nobody asks for: scheduled runs, recovery of trades, housekeeping. */
  start(): Promise<void>;
  /** Ends it, and closes every connection. Open trades are driven on by whoever takes them over. */
  stop(): Promise<void>;
}

/** What tests put in the place of the real thing. */
export interface Substitutes {
  clock?: Clock;
  networks?: Networks;
  live?: LiveServices;
  /** Sign-ins that may fail, and registrations, each a minute. */
  attemptsPerMinute?: number;
  executorTiming?: NonNullable<ExecutorDeps['timing']>;
  volume?: {
    /** How long after a turn of a session the next one comes. */
    turnDelayMs?: (intervalMs: number) => number;
    checkpoint?: (at: StepCheckpoint, session: VolumeSessionRow) => void;
  };
}

/** Sign-ins that may fail within a minute for one username from one address. */
const FAILURES_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

/**
 * Connects, migrates, opens the vault, and composes every service by hand.
 * @throws VaultError when the master key is missing or wrong
 */
export async function createServices(
  config: Config,
  logger: Logger,
  substitutes: Substitutes = {},
): Promise<Services> {
  const { databaseUrl } = config;
  const clock = substitutes.clock ?? systemClock;
  const metrics = createMetrics();
  const db = connect(databaseUrl, {
    max: 20,
    onOpen: (pool) => {
      const busy = () => pool.totalCount - pool.idleCount;
      metrics.gauge('kervan_database_connections_busy', 'Connections to PostgreSQL in use', busy);
      metrics.gauge('kervan_database_waiting', 'Queries that wait for a connection', () => pool.waitingCount);
    },
    onIdleError: (error) => logger.warn({ err: error }, 'a connection to PostgreSQL was lost'),
  });
  const vault = await prepare(config, db);
  const presence = showPresence(databaseUrl);

  const adapterPool = config.role === 'all' ? undefined : openAdapterPool(databaseUrl, logger);
  const realtime = createRealtime(adapterPool);
  const notifier = realtime;
  const live = substitutes.live ?? LIVE_SERVICES;
  const userNodes = createUserNodes({ db, vault, logger });
  const networks =
    substitutes.networks ??
    createNetworks({
      ...config,
      services: live,
      ownNode: (userId, chain, network) => userNodes.find(userId, chain, network),
    });
  userNodes.listen((nodes) => networks.keepNodes(nodes));
  await userNodes.load();
  const prices = createPriceSource({ networks, clock });
  const scheduler = createScheduler({
    databaseUrl,
    onError: (error) => logger.warn({ err: error }, 'the scheduler met an error'),
  });

  const logs = createBotLogs({ db, notifier, logger });
  const readWalletKey = createWalletKeyReader(db, vault);
  const pastedKeys = createPastedKeys();
  const executor = createExecutor({
    db,
    port: (chain, network, userId) => networks.port(chain, network, userId),
    readKey: async (owner) =>
      (owner.id === undefined ? undefined : pastedKeys.find(owner.id)) ?? (await readWalletKey(owner)),
    onDriven: pastedKeys.forget,
    nativePrice: async (chain, network) => (await prices.nativePriceUsd(chain, network))?.price ?? null,
    listeners: {
      bot: createBotTradeListener({ scheduler, logs, notifier }),
      'fast-swap': createFastSwapTradeListener(notifier),
      volume: createVolumeTradeListener({ notifier, clock, onMoved: (id) => stepper.kick(id) }),
    },
    logger,
    onEnded: (trade) => metrics.tradeEnded(trade),
    ...(substitutes.executorTiming && { timing: substitutes.executorTiming }),
  });
  metrics.gauge('kervan_trades_driven', 'Open trades that this process drives', executor.openTrades);

  const perMinute = substitutes.attemptsPerMinute ?? FAILURES_PER_MINUTE;
  const auth = createAuthService({
    repository: createAuthRepository(db),
    accessTokens: createAccessTokens(vault.deriveKey('access tokens'), clock),
    limiters: {
      failures: createAttemptLimiter(perMinute, MINUTE_MS, clock),
      failuresByIp: createAttemptLimiter(perMinute * 10, MINUTE_MS, clock),
      registrations: createAttemptLimiter(perMinute, MINUTE_MS, clock),
    },
    registration: config.registration,
    clock,
    onSessionEnded: (sessionId) => realtime.endSession(sessionId),
  });
  const bots = createBotsService({
    db,
    networks,
    botSwitch: createBotSwitch({ scheduler, logs, notifier, clock }),
    logs,
  });
  const runner = createBotRunner({
    db,
    executor,
    scheduler,
    networks,
    logs,
    notifier,
    clock,
    logger,
    onRun: (latenessMs) => metrics.runBegan(latenessMs),
  });
  const stepper = createVolumeStepper({
    db,
    executor,
    networks,
    notifier,
    clock,
    logger,
    ...substitutes.volume,
  });
  const onMoved = ({ id }: { id: string }) => stepper.kick(id);
  const haltWatch = createHaltWatch({ db, notifier });
  const sweeper = createBotSweeper({ db, scheduler, clock, logger });
  const samples = createBalanceSamples({ db, networks, clock });
  const chartKeeper = createChartKeeper({ db, samples, logger });
  const housekeeping = createHousekeeping({ db, auth, clock, logger });
  const ledgerFolder = createLedgerFolder({ db, logger });

  return {
    db,
    vault,
    networks,
    prices,
    executor,
    scheduler,
    realtime,
    auth,
    settings: createSettingsService({ db, haltWatch, userNodes, live }),
    charts: createChartsService({ db, samples, prices, clock }),
    solanaRpc: createSolanaRpcService({ db, networks }),
    sandbox: createSandboxService(networks),
    wallets: createWalletsService({ db, vault, networks, prices }),
    bots,
    executeNow: createExecuteNow({ db, executor, networks, logs, notifier }),
    volume: createVolumeService({ db, networks, notifier, clock, onMoved }),
    startVolume: createVolumeStart({ db, vault, networks, clock, onStarted: onMoved }),
    fastSwaps: createFastSwapService({ db, executor, networks, pastedKeys, notifier }),
    gasPrices: createGasPriceService({ db, networks }),
    tokens: createTokensService({
      db,
      networks,
      clock,
      directory: createTokenDirectory({
        sandbox: networks.sandbox,
        live,
        jupiterApiKey: config.jupiterApiKey,
        now: () => clock().getTime(),
      }),
    }),
    trades: createTradesRepository(db),
    enterprise: createEnterpriseService({ db, clock }),
    clock,
    metrics,
    checkHealth: createHealthCheck({
      db,
      version: VERSION,
      parts: (isInUse) => [
        { name: 'vault', ok: !vault.isLocked(), problem: vault.isLocked() ? 'The vault is locked.' : null },
        { name: 'scheduler', ...scheduler.status() },
        ...networks
          .status()
          .filter(({ chain, network }) => isInUse(chain, network))
          .map(({ chain, network, ok, problem }) => ({ name: `${chain} ${network}`, ok, problem })),
      ],
    }),

    async start() {
      // Every process drives the trades it plans, and those that a dead one left behind.
      executor.start();
      // Scheduled runs are what workers are for.
      const isWorker = config.role !== 'api';
      await scheduler.start(isWorker ? runner.run : undefined);
      if (isWorker) {
        sweeper.start();
        chartKeeper.start();
        stepper.start();
      }
      // Workers have no sockets to tell.
      if (config.role !== 'worker') haltWatch.start();
      userNodes.start();
      housekeeping.start();
      ledgerFolder.start();
    },

    async stop() {
      housekeeping.stop();
      await ledgerFolder.stop();
      await userNodes.stop();
      await haltWatch.stop();
      await chartKeeper.stop();
      await sweeper.stop();
      await stepper.stop();
      await scheduler.stop();
      await executor.stop();
      networks.close();
      await realtime.close();
      await presence.leave();
      await adapterPool?.end();
      await db.destroy();
      vault.lock();
    },
  };
}

/** For what the sockets of several processes tell each other through PostgreSQL. */
function openAdapterPool(connectionString: string, logger: Logger): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 3, application_name: 'kervan-sockets' });
  const warn = (error: Error) => logger.warn({ err: error }, 'a connection of the sockets was lost');
  pool.on('error', warn);
  // The adapter keeps one connection out of the pool and makes it again when it is lost, but hears no errors.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

async function prepare(config: Config, db: Database): Promise<Vault> {
  try {
    await waitForDatabase(db);
    await migrate(db);
    return createVault(
      await openMasterKey(db, {
        dataDir: config.dataDir,
        environmentKey: config.masterKey,
        askPassphrase: passphrasePrompt(config.passphraseFile),
        prefersPassphrase: config.passphraseFile !== null,
      }),
    );
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
