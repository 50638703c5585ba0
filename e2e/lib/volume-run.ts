import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { NATIVE, routes, type Chain, type DataOf } from '@kervan/contract';
import { connect } from '@kervan/database';
import type { Stack } from '../../apps/launcher/src/stack.ts';
import { ApiError, createApiClient, type ApiClient } from './api-client.ts';
import { audit, type AuditReport, type Granted } from './audit.ts';
import { allEnded, FAIR, killSomething, setWeather, STORM, units } from './bad-days.ts';
import { bscFlows, solanaFlows, type Flows } from './chain-flows.ts';
import { bscRecord, solanaRecord, type ChainRecord } from './chain-record.ts';

export interface VolumeRunOptions {
  readonly kills: number;
  readonly report: (line: string) => void;
}

export interface VolumeReport extends AuditReport {
  readonly sessions: number;
  readonly swaps: number;
}

const CHAINS = ['solana', 'bsc'] as const satisfies readonly Chain[];
const GRANT = '40';
const WALLETS = 8;
/** Kills that a pair of sessions goes through, from its start to its last drained wallet. */
const KILLS_A_ROUND = 5;
/** For the first trades, and for the last wallet to be drained. */
const PATIENCE_MS = 180_000;

const ROUTES = {
  solana: { stop: routes.stopVolume, stats: routes.volumeStats, session: routes.getVolumeSession },
  bsc: { stop: routes.stopBscVolume, stats: routes.bscVolumeStats, session: routes.getBscVolumeSession },
} as const;

interface Master {
  readonly chain: Chain;
  readonly walletId: string;
  readonly address: string;
  readonly tokenAddress: string;
  readonly beforeUnits: bigint;
}

type Session = DataOf<typeof routes.getVolumeSession>;

/**
 * Runs volume sessions on both chains in bad weather, kills parts of the running product at random instants from their
 * start to the end of their draining, and then holds everything against the chains' own record: each trade and
 * transfer happened once, no session wallet holds anything, and what the masters have less is in fees and pools.
 */
export async function volumeRun(stack: Stack, options: VolumeRunOptions): Promise<VolumeReport> {
  const api = createApiClient(stack.url);
  const operator = await api.call(routes.register, {
    body: { username: 'operator', password: 'correct horse battery' },
  });
  api.signIn(operator.access_token);
  const sandbox = await api.call(routes.getSandbox);
  const records = { solana: solanaRecord(sandbox.solana.rpcUrl), bsc: bscRecord(sandbox.bsc.rpcUrl) };
  const masters = await Promise.all(CHAINS.map((chain) => addMaster(api, chain, records[chain])));

  const sessions: Session[] = [];
  for (let left = options.kills; left > 0; left -= KILLS_A_ROUND)
    sessions.push(...(await runRound(stack, api, masters, Math.min(left, KILLS_A_ROUND), options.report)));

  const db = connect(stack.databaseUrl, { max: 2 });
  try {
    await allEnded(db, options.report);
    const wallets = [...masters.map(asGranted), ...sessions.flatMap(walletsOf)];
    const audited = await audit(db, records, wallets);
    const accounts = masters.map(async (master) => {
      const { chain } = master;
      const owners = wallets.filter((wallet) => wallet.chain === chain).map(({ address }) => address);
      const landed = await records[chain].landedBy(owners);
      const flows =
        chain === 'solana'
          ? await solanaFlows(sandbox.solana.rpcUrl, landed)
          : await bscFlows(sandbox.bsc.rpcUrl, landed, sandbox.bsc.contracts.wbnb);
      const own = sessions.filter((session) => session.chain === chain);
      return [
        ...(await accountFaults(records[chain], master, flows, own)),
        ...(await leftovers(records[chain], own)),
      ];
    });
    return {
      ...audited,
      faults: [...audited.faults, ...(await Promise.all(accounts)).flat()],
      sessions: sessions.length,
      swaps: sessions.reduce((sum, { totalTrades }) => sum + totalTrades, 0),
    };
  } finally {
    await db.destroy();
  }
}

async function addMaster(api: ApiClient, chain: Chain, record: ChainRecord): Promise<Master> {
  const sandbox = await api.call(routes.getSandbox);
  const wallet =
    chain === 'solana'
      ? await api.call(routes.createWallet, { body: { name: 'master' } })
      : await api.call(routes.createBscWallet, { body: { name: 'master' } });
  const address = 'public_key' in wallet ? wallet.public_key : wallet.address;
  const symbol = chain === 'solana' ? 'USDC' : 'sUSD';
  const token = sandbox[chain].tokens.find((each) => each.symbol === symbol);
  if (!token) throw new Error(`the ${chain} sandbox has no ${symbol}`);
  await api.call(routes.faucet, { body: { chain, address, amount: GRANT } });
  const beforeUnits = await record.native(address);
  return { chain, walletId: wallet.id, address, tokenAddress: token.address, beforeUnits };
}

/** Half of the kills come while the sessions begin and trade, the others while they are drained. */
async function runRound(
  stack: Stack,
  api: ApiClient,
  masters: readonly Master[],
  kills: number,
  report: (line: string) => void,
): Promise<Session[]> {
  const killWithin = async (ms: number): Promise<void> => {
    await delay(randomInt(ms));
    const { name, back } = killSomething(stack);
    report(`killed: ${name}`);
    await back;
    await setWeather(api, STORM);
  };
  await setWeather(api, STORM);
  const starting = Promise.all(masters.map((master) => start(api, master)));
  // The first one meets the start itself, or the funding.
  await killWithin(700);
  const started = await starting;
  for (let kill = 1; kill < Math.ceil(kills / 2); kill++) {
    await Promise.all(masters.map((master) => hasTraded(api, master, kill)));
    await killWithin(6_000);
  }
  await Promise.all(masters.map((master) => hasTraded(api, master, 1)));
  const stopping = Promise.all(masters.map((master) => stop(api, master)));
  for (let kill = 0; kill < Math.floor(kills / 2); kill++) await killWithin(kill === 0 ? 1_000 : 3_000);
  await stopping;
  await setWeather(api, FAIR);
  const ended = await Promise.all(started.map((session) => untilEnded(api, session)));
  report(`${ended.length} sessions are drained`);
  return ended;
}

async function start(
  api: ApiClient,
  { chain, walletId, tokenAddress }: Master,
): Promise<{ chain: Chain; sessionId: string }> {
  const common = { masterWalletId: walletId, tokenAddress, walletCount: WALLETS, tradingIntervalMs: 5_000 };
  // The same key again is the same session, whatever became of the first answer.
  const idempotencyKey = `start-${randomInt(2 ** 47)}`;
  const { sessionId } =
    chain === 'solana'
      ? await api.callPatiently(routes.startVolume, {
          body: { ...common, minSolAmount: 0.1, maxSolAmount: 0.3, slippageBps: 500 },
          idempotencyKey,
        })
      : await api.callPatiently(routes.startBscVolume, {
          body: { ...common, minBnbAmount: 0.1, maxBnbAmount: 0.3, slippageBps: 5 },
          idempotencyKey,
        });
  return { chain, sessionId };
}

/** Waits for so many trades; a session that has stopped itself has none to wait for. */
async function hasTraded(api: ApiClient, { chain }: Master, trades: number): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { totalTrades, isRunning } = await api.callPatiently(ROUTES[chain].stats);
    if (totalTrades >= trades || !isRunning) return;
    if (Date.now() > deadline) throw new Error(`the ${chain} session does not come to trade`);
    await delay(250);
  }
}

async function stop(api: ApiClient, { chain }: Master): Promise<void> {
  try {
    await api.callPatiently(ROUTES[chain].stop);
  } catch (error) {
    // It may have stopped by itself, or by the call whose answer was lost, and be drained by now.
    if (!(error instanceof ApiError) || error.failure.error.code !== 'VOLUME_NOT_RUNNING') throw error;
  }
}

async function untilEnded(
  api: ApiClient,
  { chain, sessionId }: { chain: Chain; sessionId: string },
): Promise<Session> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const session = await api.callPatiently(ROUTES[chain].session, { params: { id: sessionId } });
    if (session.state === 'ended') return session;
    if (Date.now() > deadline)
      throw new Error(`the ${chain} session is not drained: ${JSON.stringify(session)}`);
    await delay(250);
  }
}

function asGranted({ chain, address, beforeUnits }: Master): Granted {
  return { chain, address, nativeUnits: beforeUnits, tokens: new Map() };
}

function walletsOf({ chain, wallets }: Session): Granted[] {
  return wallets.map(({ address }) => ({ chain, address, nativeUnits: 0n, tokens: new Map() }));
}

/** Master before = master after + fees + price loss (+ deposits of accounts that tokens were sent to), by the chain. */
async function accountFaults(
  record: ChainRecord,
  { chain, address, beforeUnits }: Master,
  { feeUnits, poolUnits, depositUnits }: Flows,
  sessions: readonly Session[],
): Promise<string[]> {
  const afterUnits = await record.native(address);
  const missing = beforeUnits - afterUnits - feeUnits - poolUnits - depositUnits;
  const total = (text: (session: Session) => string) =>
    sessions.reduce((sum, session) => sum + units(text(session), NATIVE[chain].decimals), 0n);
  const told = [
    ['fees', total(({ account }) => account.fees) + total(({ account }) => account.masterFees), feeUnits],
    ['price loss', total(({ account }) => account.priceLoss), poolUnits],
    ['deposits', total(({ account }) => account.deposits), depositUnits],
  ] as const;
  return [
    ...(missing === 0n ? [] : [`${chain}: ${missing} of the master’s are neither fees nor in pools`]),
    ...told
      .filter(([, said, chainSays]) => said !== chainSays)
      .map(
        ([name, said, chainSays]) => `${chain}: the sessions tell ${name} of ${said}, the chain ${chainSays}`,
      ),
  ];
}

async function leftovers(record: ChainRecord, sessions: readonly Session[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { chain, sessionId, tokenAddress, wallets, strandedWallets } of sessions) {
    if (strandedWallets > 0) faults.push(`${chain}: session ${sessionId} gave ${strandedWallets} wallets up`);
    for (const { address } of wallets) {
      const [native, tokens] = await Promise.all([
        record.native(address),
        record.tokens(address, tokenAddress),
      ]);
      if (native + tokens > 0n)
        faults.push(`${chain}: ${address} still holds ${native} and ${tokens} tokens`);
    }
  }
  return faults;
}
