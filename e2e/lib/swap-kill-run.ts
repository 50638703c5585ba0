import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  FAST_SWAP_WALLETS_MAX,
  NATIVE,
  routes,
  type Action,
  type Chain,
  type FastSwapResult,
} from '@kervan/contract';
import { connect, type Database } from '@kervan/database';
import { privateKeyToAccount } from 'viem/accounts';
import type { Stack } from '../../apps/launcher/src/stack.ts';
import { createApiClient, type ApiClient } from './api-client.ts';
import { audit, type AuditReport, type Granted } from './audit.ts';
import { allEnded, FAIR, killSomething, setWeather, STORM, units } from './bad-days.ts';
import { bscRecord, solanaRecord } from './chain-record.ts';

export interface SwapKillRunOptions {
  /** Pairs of fast swaps, one on each chain, with a kill in the midst of each pair. */
  readonly rounds: number;
  readonly walletsPerChain: number;
  readonly report: (line: string) => void;
}

const GRANT = '40';
/** A swap of this many wallets is under way for about so long when nothing is killed. */
const SWAP_TAKES_MS = 1_200;

interface Fleet {
  readonly tokens: Readonly<Record<Chain, string>>;
  readonly solanaIds: readonly string[];
  readonly bscIds: readonly string[];
  readonly bscKeys: readonly string[];
  readonly granted: readonly Granted[];
}

/**
 * Makes fast swaps on both chains at once in bad weather, kills parts of the running product at random instants, sends
 * the same requests again until they are answered whole, and audits all of it against the chains.
 */
export async function swapKillRun(stack: Stack, options: SwapKillRunOptions): Promise<AuditReport> {
  const api = createApiClient(stack.url);
  const body = { username: 'operator', password: 'correct horse battery' };
  api.signIn((await api.call(routes.register, { body })).access_token);
  const fleet = await makeFleet(api, options.walletsPerChain);
  const faults: string[] = [];
  await setWeather(api, STORM);

  for (let round = 1; round <= options.rounds; round++) {
    const mode = round % 3 === 0 ? 'sell' : 'buy';
    const swaps = Promise.all([
      ...batches(fleet.solanaIds).map((walletIds) => swapOnSolana(api, fleet, mode, walletIds)),
      swapOnBsc(api, fleet, mode),
    ]);
    await delay(randomInt(SWAP_TAKES_MS));
    const victim = killSomething(stack);
    options.report(`round ${round} of ${options.rounds}, ${mode}: killed ${victim.name}`);
    await victim.back;
    await setWeather(api, STORM);
    for (const results of await swaps) faults.push(...answerFaults(results));
  }

  await setWeather(api, FAIR);
  const db = connect(stack.databaseUrl, { max: 2 });
  try {
    await allEnded(db, options.report);
    const sandbox = await api.callPatiently(routes.getSandbox);
    const records = { solana: solanaRecord(sandbox.solana.rpcUrl), bsc: bscRecord(sandbox.bsc.rpcUrl) };
    const result = await audit(db, records, fleet.granted);
    return { ...result, faults: [...faults, ...result.faults, ...(await tradeFaults(db))] };
  } finally {
    await db.destroy();
  }
}

function batches(walletIds: readonly string[]): string[][] {
  const count = Math.ceil(walletIds.length / FAST_SWAP_WALLETS_MAX);
  return Array.from({ length: count }, (_, index) =>
    walletIds.slice(index * FAST_SWAP_WALLETS_MAX, (index + 1) * FAST_SWAP_WALLETS_MAX),
  );
}

/** Wallets with coins of their own; every fifth on BSC is a key that is only pasted. */
async function makeFleet(api: ApiClient, walletsPerChain: number): Promise<Fleet> {
  const { solana, bsc } = await api.call(routes.getSandbox);
  const tokens = { solana: tokenOf(solana.tokens, 'KRVN'), bsc: tokenOf(bsc.tokens, 'sUSD') };
  const granted: Granted[] = [];
  async function grant(chain: Chain, address: string): Promise<void> {
    await api.call(routes.faucet, { body: { chain, address, amount: GRANT } });
    const nativeUnits = units(GRANT, NATIVE[chain].decimals);
    granted.push({ chain, address, nativeUnits, tokens: new Map([[tokens[chain], 0n]]) });
  }

  const solanaIds: string[] = [];
  const bscIds: string[] = [];
  const bscKeys: string[] = [];
  for (let index = 0; index < walletsPerChain; index++) {
    const wallet = await api.call(routes.createWallet, { body: { name: `solana ${index}` } });
    await grant('solana', wallet.public_key);
    solanaIds.push(wallet.id);
    if (index % 5 === 4) {
      const key = randomBytes(32).toString('hex');
      await grant('bsc', privateKeyToAccount(`0x${key}`).address);
      bscKeys.push(key);
    } else {
      const stored = await api.call(routes.createBscWallet, { body: { name: `bsc ${index}` } });
      await grant('bsc', stored.address);
      bscIds.push(stored.id);
    }
  }
  return { tokens, solanaIds, bscIds, bscKeys, granted };
}

function tokenOf(tokens: readonly { readonly symbol: string; readonly address: string }[], symbol: string) {
  const found = tokens.find((token) => token.symbol === symbol);
  if (!found) throw new Error(`the sandbox has no ${symbol}`);
  return found.address;
}

const percentOf = (mode: Action) => (mode === 'buy' ? 5 : 50);

function swapOnSolana(api: ApiClient, { tokens }: Fleet, mode: Action, walletIds: string[]) {
  const body = {
    mode,
    tokenAddress: tokens.solana,
    walletIds,
    percent: percentOf(mode),
    slippageBps: 500,
  };
  return untilFinal((idempotencyKey) => api.callPatiently(routes.fastSwap, { body, idempotencyKey }));
}

function swapOnBsc(api: ApiClient, { tokens, bscIds, bscKeys }: Fleet, mode: Action) {
  const body = {
    mode,
    tokenAddress: tokens.bsc,
    walletIds: [...bscIds],
    privateKeys: [...bscKeys],
    percent: percentOf(mode),
    slippageBps: 10,
  };
  return untilFinal((idempotencyKey) => api.callPatiently(routes.bscFastSwap, { body, idempotencyKey }));
}

/** Every answer to one request, the last one final. Whoever gets none, or half of one, sends the same again. */
async function untilFinal(ask: (key: string) => Promise<FastSwapResult>): Promise<FastSwapResult[]> {
  const key = randomBytes(12).toString('hex');
  const results: FastSwapResult[] = [];
  do results.push(await ask(key));
  while (!results.at(-1)?.isFinal);
  // As a double click, or a client that lost the answer.
  results.push(await ask(key));
  return results;
}

/** One key is one fast swap with the same legs and trades in every answer, and every leg has an end with a reason. */
function answerFaults(results: readonly FastSwapResult[]): string[] {
  const [first, last] = [results[0], results.at(-1)];
  if (!first || !last) return ['a fast swap was never answered'];
  const faults: string[] = [];
  const shapeOf = ({ id, legs }: FastSwapResult) =>
    JSON.stringify([id, legs.map(({ address, trade }) => [address, trade?.id])]);
  if (results.some((result) => shapeOf(result) !== shapeOf(first)))
    faults.push(`fast swap ${first.id}: its answers name different trades`);
  for (const { address, trade, error } of last.legs) {
    const isAccounted = trade?.status === 'success' ? error === null : error !== null;
    if (!isAccounted) faults.push(`fast swap ${last.id}: ${address} has no end and no reason`);
  }
  if (last.signatures.length + last.failed.length !== last.legs.length)
    faults.push(`fast swap ${last.id}: ${last.legs.length} legs, and not each in one of the two lists`);
  return faults;
}

/** No wallet twice in a fast swap; of a bundle, all landed transactions in one slot. */
async function tradeFaults(db: Database): Promise<string[]> {
  const twice = await db
    .selectFrom('trades')
    .select(['source_id', 'wallet_address'])
    .groupBy(['source_id', 'wallet_address'])
    .having(({ fn }) => fn.countAll(), '>', 1)
    .execute();
  const scattered = await db
    .selectFrom('trades')
    .innerJoin('trade_attempts', 'trade_attempts.trade_id', 'trades.id')
    .select('bundle_id')
    .where('bundle_id', 'is not', null)
    .where('trade_attempts.state', '=', 'landed')
    .groupBy('bundle_id')
    .having(({ fn }) => fn.count('height').distinct(), '>', 1)
    .execute();
  return [
    ...twice.map(({ source_id, wallet_address }) => `${wallet_address} trades twice in ${source_id}`),
    ...scattered.map(({ bundle_id }) => `bundle ${bundle_id} landed in several slots`),
  ];
}
