import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { NATIVE, routes, type Chain } from '@kervan/contract';
import { connect, type Database } from '@kervan/database';
import { unitsFromNumber } from '@kervan/domain';
import { sql } from 'kysely';
import type { Stack } from '../../apps/launcher/src/stack.ts';
import { createApiClient, type ApiClient } from './api-client.ts';
import { audit, type AuditReport, type Granted } from './audit.ts';
import { allEnded, FAIR, killSomething, setWeather, STORM, units } from './bad-days.ts';
import { bscMovements, solanaMovements } from './chain-movements.ts';
import { bscRecord, solanaRecord } from './chain-record.ts';
import { verifyTrades } from './verify-trades.ts';

export interface KillRunOptions {
  readonly kills: number;
  readonly botsPerChain: number;
  readonly report: (line: string) => void;
}

export interface KillReport extends AuditReport {
  /** Runs that a limit kept from trading. */
  readonly limited: number;
}

const GRANT = { solana: '40', bsc: '40' };
const TOKEN_GRANT = '5000';
/** Low enough to bite towards the end of a run, so that "limits held" is not held for want of a test. */
const walletDayLimit = (kills: number) => (2 * (kills + 5)) / 100;

interface Actor {
  readonly chain: Chain;
  readonly address: string;
  readonly botId: string;
}

/**
 * Runs bots on both chains in bad weather, kills parts of the running product at random instants, lets it come to
 * rest and audits it against the chains.
 */
export async function killRun(stack: Stack, options: KillRunOptions): Promise<KillReport> {
  const api = createApiClient(stack.url);
  const dayLimit = walletDayLimit(options.kills);
  const session = await api.call(routes.register, {
    body: { username: 'operator', password: 'correct horse battery' },
  });
  api.signIn(session.access_token);
  await api.call(routes.updateSettings, {
    body: {
      solana: { limits: { maxNativePerTrade: null, maxNativePerWalletPerDay: dayLimit } },
      bsc: { limits: { maxNativePerTrade: 0.5, maxNativePerWalletPerDay: dayLimit } },
    },
  });
  const granted: Granted[] = [];
  const actors: Actor[] = [];
  for (let index = 0; index < options.botsPerChain; index++)
    for (const chain of ['solana', 'bsc'] as const) actors.push(await addActor(api, chain, index, granted));
  options.report(`${actors.length} bots are trading`);

  await setWeather(api, STORM);
  for (let kill = 1; kill <= options.kills; kill++) {
    await delay(randomInt(500, 5_000));
    // An operator's click that meets the kill: the same key again must be the same trade.
    const clicks = clickExecute(api, actors);
    await delay(randomInt(30));
    const victim = killSomething(stack);
    options.report(`kill ${kill} of ${options.kills}: ${victim.name}`);
    await victim.back;
    await clicks;
    await setWeather(api, STORM);
  }

  await setWeather(api, FAIR);
  await Promise.all(actors.map((actor) => stopBot(api, actor)));
  const db = connect(stack.databaseUrl, { max: 2 });
  try {
    await allEnded(db, options.report);
    const sandbox = await api.callPatiently(routes.getSandbox);
    const records = { solana: solanaRecord(sandbox.solana.rpcUrl), bsc: bscRecord(sandbox.bsc.rpcUrl) };
    const result = await audit(db, records, granted);
    const movements = {
      solana: solanaMovements(sandbox.solana.rpcUrl),
      bsc: bscMovements(sandbox.bsc.rpcUrl),
    };
    const { differences } = await verifyTrades(db, (chain) => movements[chain]);
    return {
      ...result,
      limited: await runsLimited(db),
      faults: [...result.faults, ...differences, ...(await limitFaults(db, dayLimit))],
    };
  } finally {
    await db.destroy();
  }
}

async function addActor(api: ApiClient, chain: Chain, index: number, granted: Granted[]): Promise<Actor> {
  const sandbox = await api.call(routes.getSandbox);
  const name = `${chain} ${index}`;
  const wallet =
    chain === 'solana'
      ? await api.call(routes.createWallet, { body: { name } })
      : await api.call(routes.createBscWallet, { body: { name } });
  const address = 'public_key' in wallet ? wallet.public_key : wallet.address;
  const candidates = sandbox[chain].tokens.filter((token) => token.symbol !== 'WSOL');
  const token = candidates[index % candidates.length];
  if (!token) throw new Error(`the ${chain} sandbox has no tokens`);
  const isSeller = index % 3 === 2;
  const tokens = new Map<string, bigint>();
  await api.call(routes.faucet, { body: { chain, address, amount: GRANT[chain] } });
  if (isSeller) {
    await api.call(routes.faucet, {
      body: { chain, address, amount: TOKEN_GRANT, tokenAddress: token.address },
    });
    tokens.set(token.address, units(TOKEN_GRANT, token.decimals));
  }
  granted.push({ chain, address, nativeUnits: units(GRANT[chain], NATIVE[chain].decimals), tokens });

  const body = {
    name,
    wallet_id: wallet.id,
    action: isSeller ? ('sell' as const) : ('buy' as const),
    token_address: token.address,
    amount_min: isSeller ? 1 : 0.01,
    amount_max: isSeller ? 20 : 0.05,
    range_time_min: 5,
    range_time_max: 6,
  };
  if (chain === 'solana') {
    const bot = await api.call(routes.createBot, { body });
    await api.call(routes.startBot, { params: { id: bot.id } });
    return { chain, address, botId: bot.id };
  }
  const hasV3 = token.symbol !== 'sTAX';
  const bot = await api.call(routes.createBscBot, {
    body: { ...body, slippage_percent: 5, pancakeswap_version: hasV3 && index % 2 === 1 ? 'v3' : 'v2' },
  });
  await api.call(routes.updateBscBot, { params: { id: bot.id }, body: { is_active: true } });
  return { chain, address, botId: bot.id };
}

/** Asks for a trade at once on a few bots, again and again with the same key until it is answered. */
async function clickExecute(api: ApiClient, actors: readonly Actor[]): Promise<void> {
  const chosen = Array.from({ length: 4 }, () => actors[randomInt(actors.length)]).filter(
    (actor) => actor !== undefined,
  );
  await Promise.all(
    chosen.map(async (actor) => {
      const idempotencyKey = `click-${randomInt(2 ** 47)}`;
      const route = actor.chain === 'solana' ? routes.executeBot : routes.executeBscBot;
      const ids = await Promise.all(
        [0, 1].map(() =>
          api
            .callPatiently(route, { params: { id: actor.botId }, idempotencyKey })
            .then(({ tradeId }) => tradeId)
            // A limit may be reached by then: no trade is a fine answer too.
            .catch((error: unknown) => (String(error).includes('LIMIT_') ? null : Promise.reject(error))),
        ),
      );
      if (ids[0] !== ids[1]) throw new Error(`one key gave two trades: ${ids.join(' and ')}`);
    }),
  );
}

async function stopBot(api: ApiClient, actor: Actor): Promise<void> {
  const params = { id: actor.botId };
  if (actor.chain === 'solana') await api.callPatiently(routes.stopBot, { params });
  else await api.callPatiently(routes.updateBscBot, { params, body: { is_active: false } });
}

async function limitFaults(db: Database, dayLimit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('trades')
    .select(({ fn }) => ['chain', 'wallet_address', fn.sum<bigint>('limit_value_units').as('used')])
    .where('state', 'in', ['planned', 'signed', 'success'])
    .groupBy(['chain', 'wallet_address'])
    .execute();
  return rows.flatMap(({ chain, wallet_address: address, used }) =>
    used > (unitsFromNumber(dayLimit, NATIVE[chain].decimals) ?? 0n)
      ? [`${chain}: ${address} traded ${used}, beyond its daily limit`]
      : [],
  );
}

async function runsLimited(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('bot_logs')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where(sql<string>`data ->> 'reason'`, 'like', 'LIMIT_%')
    .executeTakeFirstOrThrow();
  return Number(count);
}
