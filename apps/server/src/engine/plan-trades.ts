import { KervanError, NATIVE, type Network } from '@kervan/contract';
import type { Schema, TradeRow } from '@kervan/database';
import { checkLimits, formatUnits, hasLimits, startOfDay } from '@kervan/domain';
import { sql, type Transaction } from 'kysely';
import { uuidv7 } from '../lib/ids.ts';
import { isHalted } from './halt.ts';
import { storedGasChoice } from './gas-choice.ts';
import type { TradeIntent } from './intent.ts';
import { leaseEnd } from './trade-leases.ts';
import { asStored, type StoredIntent } from './transfer.ts';

/** A trade as it was created. */
export interface NewTrade extends TradeRow {
  /** Whether it already holds its account's nonce lane. */
  readonly has_lane: boolean;
}

export interface PlannedTrade {
  readonly tradeId: string;
  readonly isNew: boolean;
  /** The new trade; null for one that was there before. */
  readonly trade: NewTrade | null;
}

export type PlanResult = PlannedTrade | { readonly refusal: KervanError };

interface Lease {
  readonly owner: string;
  readonly leaseMs: number;
}

/**
 * Creates the trades of several intents in the caller's transaction, a few statements for all of them. Each intent
 * is answered on its own: its trade (the earlier one, if its key is known), or why it is refused, by `refusalOf` or by
 * its limits.
 */
export async function planTrades(
  trx: Transaction<Schema>,
  wishes: readonly TradeIntent[],
  lease: Lease,
  now: Date,
  refusalOf: (intent: StoredIntent) => KervanError | undefined,
): Promise<PlanResult[]> {
  if (wishes.length === 0) return [];
  const intents = wishes.map(asStored);
  const { known, refusals } = await weighLimits(trx, intents, now);
  for (const intent of intents) {
    const refusal = refusalOf(intent);
    if (refusal) refusals.set(intent, refusal);
  }
  const wanted = intents.filter((intent) => !known.has(keyOf(intent)) && !refusals.has(intent));
  const created = await insertTrades(trx, wanted, lease, now);
  // Not created: the key is known, trading is halted, or the wallet is gone.
  const missing = wanted.filter((intent) => !created.has(keyOf(intent)));
  const knownToo = await findByKeys(trx, missing);
  const isStopped = missing.length > knownToo.size && (await isHalted(trx));

  return intents.map((intent): PlanResult => {
    const refusal = refusals.get(intent);
    if (refusal) return { refusal };
    const trade = created.get(keyOf(intent));
    if (trade) return { tradeId: trade.id, isNew: true, trade };
    const knownId = known.get(keyOf(intent)) ?? knownToo.get(keyOf(intent));
    if (knownId !== undefined) return { tradeId: knownId, isNew: false, trade: null };
    return { refusal: new KervanError(isStopped ? 'TRADING_HALTED' : 'WALLET_NOT_FOUND') };
  });
}

function keyOf(intent: { userId: string; idempotencyKey: string }): string {
  return `${intent.userId} ${intent.idempotencyKey}`;
}

async function findByKeys(
  trx: Transaction<Schema>,
  intents: readonly StoredIntent[],
): Promise<Map<string, string>> {
  if (intents.length === 0) return new Map();
  const userIds = intents.map((intent) => intent.userId);
  const keys = intents.map((intent) => intent.idempotencyKey);
  const { rows } = await sql<{ id: string; user_id: string; idempotency_key: string }>`
    select t.id, t.user_id, t.idempotency_key
    from unnest(${userIds}::uuid[], ${keys}::text[]) as k (user_id, idempotency_key)
    join trades t using (user_id, idempotency_key)`.execute(trx);
  return new Map(
    rows.map((row) => [keyOf({ userId: row.user_id, idempotencyKey: row.idempotency_key }), row.id]),
  );
}

/** Which of the intents a limit would refuse if they were planned now. */
export async function findLimitRefusals(
  trx: Transaction<Schema>,
  intents: readonly TradeIntent[],
  now: Date,
): Promise<ReadonlyMap<TradeIntent, KervanError>> {
  const stored = new Map(intents.map((intent) => [asStored(intent), intent]));
  const { refusals } = await weighLimits(trx, [...stored.keys()], now);
  return new Map(
    [...refusals].flatMap(([refused, error]) => {
      const intent = stored.get(refused);
      return intent ? [[intent, error] as const] : [];
    }),
  );
}

/** Looks at the intents that are under limits: whose trade is there already, and which of the others a limit refuses. */
async function weighLimits(
  trx: Transaction<Schema>,
  intents: readonly StoredIntent[],
  now: Date,
): Promise<{ known: Map<string, string>; refusals: Map<StoredIntent, KervanError> }> {
  const limited = intents.filter((intent) => hasLimits(intent.limits));
  const refusals = new Map<StoredIntent, KervanError>();
  if (limited.length === 0) return { known: new Map(), refusals };
  // Locked before the keys are looked up: whoever waits here for the same key then finds its trade.
  await lockAddresses(trx, limited);
  const known = await findByKeys(trx, limited);
  const used = await usedToday(trx, limited, now);
  for (const intent of limited) {
    if (known.has(keyOf(intent))) continue;
    const bucket = bucketOf(intent.userId, intent.wallet.address, intent.network);
    const before = used.get(bucket) ?? 0n;
    const verdict = checkLimits(intent.limits, intent.limitValueUnits, before);
    if (verdict === 'ok') used.set(bucket, before + intent.limitValueUnits);
    else refusals.set(intent, limitError(verdict, intent, before));
  }
  return { known, refusals };
}

/** Tells these advisory locks from others, such as that of the halt switch. */
const LIMIT_LOCKS = 7710003;

/**
 * Locks the intents' addresses, in one order, until the commit: of two trades that would pass a limit only together,
 * one waits and then sees the other. Not by the wallets' rows, which pasted keys have none of.
 */
async function lockAddresses(trx: Transaction<Schema>, intents: readonly StoredIntent[]): Promise<void> {
  const addresses = intents.map(({ wallet }) => wallet.address);
  await sql`
    select pg_advisory_xact_lock(${LIMIT_LOCKS}::integer, slot) from (
      select distinct hashtext(address) as slot from unnest(${addresses}::text[]) as a (address) order by slot
    ) as slots`.execute(trx);
}

/**
 * Native value of the day's trades by user, address and network: landed, or open and so perhaps about to land. By the
 * address and not by the wallet's row, so that deleting and importing a key again doesn't begin a new day.
 */
async function usedToday(
  trx: Transaction<Schema>,
  intents: readonly StoredIntent[],
  now: Date,
): Promise<Map<string, bigint>> {
  const addresses = [...new Set(intents.map((intent) => intent.wallet.address))];
  const rows = await trx
    .selectFrom('trades')
    .select(({ fn }) => [
      'user_id',
      'wallet_address',
      'network',
      fn.sum<bigint>('limit_value_units').as('used'),
    ])
    .where('wallet_address', 'in', addresses)
    .where('planned_at', '>=', startOfDay(now))
    .where('limit_value_units', '>', 0n)
    .where('state', 'in', ['planned', 'signed', 'success'])
    .groupBy(['user_id', 'wallet_address', 'network'])
    .execute();
  return new Map(rows.map((row) => [bucketOf(row.user_id, row.wallet_address, row.network), row.used]));
}

function bucketOf(userId: string, address: string, network: Network): string {
  return `${userId} ${address} ${network}`;
}

function limitError(
  verdict: 'LIMIT_PER_TRADE' | 'LIMIT_PER_WALLET_DAY',
  intent: StoredIntent,
  usedUnits: bigint,
): KervanError {
  const { symbol, decimals } = NATIVE[intent.chain];
  const limitUnits =
    verdict === 'LIMIT_PER_TRADE' ? intent.limits.perTradeUnits : intent.limits.perWalletDayUnits;
  return new KervanError(verdict, {
    value: formatUnits(intent.limitValueUnits, decimals),
    limit: formatUnits(limitUnits ?? 0n, decimals),
    used: formatUnits(usedUnits, decimals),
    symbol,
  });
}

async function insertTrades(
  trx: Transaction<Schema>,
  intents: readonly StoredIntent[],
  lease: Lease,
  now: Date,
): Promise<Map<string, NewTrade>> {
  if (intents.length === 0) return new Map();
  // Sorted, so that trades planned together keep their order: a bundle's legs are sent in the order of their ids.
  const ids = intents.map(() => uuidv7()).toSorted((one, other) => (one < other ? -1 : 1));
  const records = intents.map((intent, index) => ({
    id: ids[index],
    user_id: intent.userId,
    idempotency_key: intent.idempotencyKey,
    wallet_id: intent.wallet.id,
    wallet_name: intent.wallet.name,
    wallet_address: intent.wallet.address,
    chain: intent.chain,
    network: intent.network,
    source: intent.source,
    source_id: intent.sourceId,
    source_name: intent.sourceName,
    kind: intent.kind,
    recipient: intent.recipient,
    action: intent.action,
    token_address: intent.token.address,
    token_symbol: intent.token.symbol,
    token_decimals: intent.token.decimals,
    amount_in_units: intent.amountInUnits.toString(),
    slippage_bps: intent.slippageBps,
    dex_version: intent.dexVersion,
    gas_choice: storedGasChoice(intent.gas),
    bundle_id: intent.bundleId ?? null,
    limit_value_units: intent.limitValueUnits.toString(),
  }));
  // Nothing is created while trading is halted; whoever plans in the very moment of the halt is stopped when it
  // comes to signing.
  //
  // The key-share lock keeps the wallet from being deleted before this commits; a deletion that came first is
  // seen here, because a locked row is read again.
  const storedIds = intents.map((intent) => intent.wallet.id).filter((id) => id !== null);
  const { rows } = await sql<NewTrade>`
    with alive as (
      select id from wallets
      where id = any(${storedIds}::uuid[]) and deleted_at is null
      order by id for key share
    ), created as (
    insert into trades (
      id, user_id, idempotency_key, wallet_id, wallet_name, wallet_address, chain, network, source, source_id,
      source_name, kind, recipient, action, token_address, token_symbol, token_decimals, amount_in_units, slippage_bps,
      dex_version, gas_choice, bundle_id, limit_value_units, state, lease_owner, lease_until, planned_at
    )
    select
      r.id, r.user_id, r.idempotency_key, r.wallet_id, r.wallet_name, r.wallet_address, r.chain, r.network, r.source,
      r.source_id, r.source_name, r.kind, r.recipient, r.action, r.token_address, r.token_symbol, r.token_decimals,
      r.amount_in_units, r.slippage_bps, r.dex_version, r.gas_choice, r.bundle_id, r.limit_value_units, 'planned',
      ${lease.owner}, ${leaseEnd(lease.leaseMs)}, ${now}
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r (
      id uuid, user_id uuid, idempotency_key text, wallet_id uuid, wallet_name text, wallet_address text,
      chain text, network text, source text, source_id uuid, source_name text, kind text, recipient text,
      action text, token_address text,
      token_symbol text, token_decimals integer, amount_in_units numeric, slippage_bps integer,
      dex_version text, gas_choice text, bundle_id uuid, limit_value_units numeric
    )
    where (r.wallet_id is null or r.wallet_id in (select id from alive)) and not (select halted from instance)
    on conflict (user_id, idempotency_key) do nothing
    returning *
    ), lanes as (
      -- Where the account's nonce lane is free, the trade has it from its beginning.
      insert into nonce_lanes (network, address, trade_id)
      -- In one order, as whoever plans the same lanes waits for those that are not committed yet.
      select network, wallet_address, id from created where chain = 'bsc' order by network, wallet_address
      on conflict (network, address) do nothing
      returning trade_id
    )
    select created.*, lanes.trade_id is not null as has_lane
    from created left join lanes on lanes.trade_id = created.id`.execute(trx);
  return new Map(
    rows.map((row) => [keyOf({ userId: row.user_id, idempotencyKey: row.idempotency_key }), row]),
  );
}
