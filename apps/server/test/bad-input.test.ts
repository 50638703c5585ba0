import { API_BASE, failureSchema, routes, type Route, type RouteName } from '@kervan/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '../src/lib/ids.ts';
import { startTestServer, type TestServer, type TestUser } from './harness.ts';

/** Calls that are made at the least, shared out among the routes. */
const CALLS = 20_000;
/** Of the requests drawn, some are fine for their route and are not sent. */
const SPARE = 1.3;

// Object.entries loses the key type of a literal table.
const table = Object.entries(routes) as [RouteName, Route][];
const callsPerRoute = Math.ceil((CALLS * SPARE) / table.length);

let server: TestServer;
let owner: TestUser;
let stranger: TestUser;
/** Ids of things that belong to `owner`; the calls are `stranger`'s. */
let foreignIds: string[];
let calls = 0;

beforeAll(async () => {
  server = await startTestServer({ isWorking: false });
  owner = await server.registerUser();
  stranger = await server.registerUser();
  foreignIds = await Promise.all([addWallet('solana'), addWallet('bsc')]).then(async (wallets) => [
    ...wallets,
    ...(await Promise.all(wallets.map((walletId) => addBot(walletId)))),
    await addTrade(wallets[0] ?? ''),
    await addSession('solana', wallets[0] ?? ''),
    await addSession('bsc', wallets[1] ?? ''),
  ]);
});

async function addWallet(chain: 'solana' | 'bsc'): Promise<string> {
  const id = uuidv7();
  const key = Buffer.from('sealed');
  await server.db
    .insertInto('wallets')
    .values({
      id,
      user_id: owner.id,
      chain,
      name: chain,
      address: id,
      sealed_key: key,
      wrapped_data_key: key,
    })
    .execute();
  return id;
}

async function addBot(walletId: string): Promise<string> {
  const wallet = await server.db
    .selectFrom('wallets')
    .selectAll()
    .where('id', '=', walletId)
    .executeTakeFirstOrThrow();
  const id = uuidv7();
  await server.db
    .insertInto('bots')
    .values({
      id,
      user_id: owner.id,
      wallet_id: walletId,
      chain: wallet.chain,
      network: 'sandbox',
      name: 'bot',
      action: 'buy',
      token_address: 'token',
      amount_min: 1,
      amount_max: 2,
      range_time_min: 5,
      range_time_max: 6,
      slippage_bps: 100,
      seed: Buffer.alloc(32),
    })
    .execute();
  return id;
}

async function addTrade(walletId: string): Promise<string> {
  const id = uuidv7();
  await server.db
    .insertInto('trades')
    .values({
      id,
      user_id: owner.id,
      idempotency_key: 'key',
      wallet_id: walletId,
      wallet_name: 'solana',
      wallet_address: walletId,
      chain: 'solana',
      network: 'sandbox',
      source: 'bot',
      action: 'buy',
      token_address: 'token',
      token_decimals: 6,
      amount_in_units: 1n,
      slippage_bps: 100,
      limit_value_units: 1n,
      state: 'cancelled',
      ended_at: new Date(),
    })
    .execute();
  return id;
}

async function addSession(chain: 'solana' | 'bsc', walletId: string): Promise<string> {
  const id = uuidv7();
  await server.db
    .insertInto('volume_sessions')
    .values({
      id,
      user_id: owner.id,
      chain,
      network: 'sandbox',
      state: 'trading',
      master_wallet_id: walletId,
      master_name: 'master',
      master_address: walletId,
      is_master_pasted: false,
      token_address: 'token',
      token_decimals: 6,
      wallet_count: 2,
      min_amount: 1,
      max_amount: 2,
      trading_interval_ms: 5_000,
      slippage_bps: 100,
      seed: Buffer.alloc(32),
    })
    .execute();
  return id;
}

/** Everything in the database that a call could change, as text. */
async function contents(): Promise<string> {
  const tables = [
    'users',
    'sessions',
    'settings',
    'instance',
    'wallets',
    'bots',
    'bot_logs',
    'trades',
    'volume_sessions',
  ];
  const dumps = await Promise.all(
    tables.map((name) =>
      sql`select coalesce(json_agg(t order by t.id::text), '[]')::text as dump from (select *, ${sql.raw(
        name === 'settings' ? 'user_id as id' : 'null as unused',
      )} from ${sql.table(name)}) t`.execute(server.db),
    ),
  );
  return JSON.stringify(dumps.map(({ rows }) => rows));
}

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, '', ' ', '\0', '../..', "' or 1=1 --", [], {}, [
    [],
  ]),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Bodies that come close: each field sensible, junk or missing, and now and then one that is not known. */
const sensible: Record<string, fc.Arbitrary<unknown>> = {
  username: fc.constant('somebody'),
  password: fc.constantFrom('short', 'long enough'),
  name: fc.constant('A name'),
  private_key: fc.constantFrom('[1,2,3]', '1'.repeat(88), 'O0Il'),
  privateKeyHex: fc.constantFrom('0x12', 'f'.repeat(63), 'g'.repeat(64)),
  wallet_id: fc.uuid(),
  action: fc.constantFrom('buy', 'sell', 'hold'),
  token_address: fc.constantFrom(
    'So11111111111111111111111111111111111111112',
    `0x${'a'.repeat(40)}`,
    'token',
  ),
  amount_min: fc.constantFrom(1, 3, '1'),
  amount_max: fc.constantFrom(2, 1, -2),
  range_time_min: fc.constantFrom(5, 4, 3601, 10.5),
  range_time_max: fc.constantFrom(6, 5, 1e9),
  slippage_percent: fc.constantFrom(1, 0, 21),
  pancakeswap_version: fc.constantFrom('v2', 'v4'),
  is_active: fc.constantFrom(true, 'true'),
  halted: fc.constantFrom(0, 'false'),
  chain: fc.constantFrom('solana', 'dogecoin'),
  address: fc.constantFrom('x', ''),
  amount: fc.constantFrom('1', '0', '-1', '1e3', 1),
  addresses: fc.constantFrom(['x'], [], 'x'),
  tokenAddress: fc.constantFrom('x', 7),
  network: fc.constantFrom('sandbox', 'testnet', 'moon'),
  solana: fc.constantFrom({ network: 'moon' }, { limits: {} }, { latencyMs: -1 }, []),
  bsc: fc.constantFrom({ network: 'devnet' }, { limits: { maxNativePerTrade: -1 } }, 'x'),
};

const bodies = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ...sensible }, { requiredKeys: [] }) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.record({ ...sensible }, { requiredKeys: [] }),
        fc.dictionary(fc.constantFrom(...Object.keys(sensible), '__proto__', 'constructor', 'extra'), junk),
      )
      .map(([body, over]) => ({ ...body, ...over })),
  },
  { weight: 1, arbitrary: junk },
);
const queries = fc.dictionary(
  fc.constantFrom(
    'page',
    'limit',
    'bot_id',
    'status',
    'sort_by',
    'addresses',
    'tokenAddress',
    'network',
    'extra',
    '__proto__',
  ),
  fc.oneof(fc.constantFrom('0', '-1', '1e9', 'x', '', '9'.repeat(30), '\0'), fc.string({ maxLength: 20 })),
);
const pathIds = () =>
  fc.oneof(
    fc.constantFrom(...foreignIds),
    fc.uuid(),
    fc.constantFrom('0', '-', '%00', '..', 'null', 'x'.repeat(300), '%F0%9F%92%A9', '%'),
  );

type Malformation = 'none' | 'no body' | 'broken JSON' | 'too large' | 'wrong type' | 'deep';
const malformations = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Malformation>('none') },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Malformation>('no body', 'broken JSON', 'too large', 'wrong type', 'deep'),
  },
);

function payloadOf(malformation: Malformation, body: unknown): string | undefined {
  switch (malformation) {
    case 'no body':
      return undefined;
    case 'broken JSON':
      return `${JSON.stringify(body) ?? ''}{`;
    case 'too large':
      return JSON.stringify({ name: 'x'.repeat(100_000) });
    case 'deep':
      return '['.repeat(5_000) + ']'.repeat(5_000);
    case 'none':
    case 'wrong type':
      return JSON.stringify(body) ?? 'null';
  }
}

const hasBody = (route: Route) => route.method === 'POST' || route.method === 'PUT';

/** Whether the contract itself would take this request; such a one is not bad input. */
function isAcceptable(route: Route, query: unknown, payload: string | undefined): boolean {
  const isQueryFine = route.query
    ? route.query.safeParse(query).success
    : Object.keys(query ?? {}).length === 0;
  if (!route.body) return isQueryFine;
  let body: unknown;
  try {
    body = payload === undefined ? undefined : JSON.parse(payload);
  } catch {
    return false;
  }
  return isQueryFine && route.body.safeParse(body).success;
}

test.each(table)(
  '%s answers whatever is sent with 4xx in the envelope, and changes nothing',
  async (_name, route) => {
    const before = await contents();
    await fc.assert(
      fc.asyncProperty(bodies, queries, pathIds(), malformations, async (body, query, id, malformation) => {
        const payload = hasBody(route) ? payloadOf(malformation, body) : undefined;
        const sent = new URLSearchParams(query);
        const parsedQuery = Object.fromEntries(sent);
        // With a foreign or unknown id in its path, even a well-formed request has nothing to act on.
        const isWrongType = malformation === 'wrong type' && hasBody(route);
        if (!route.params && !isWrongType && isAcceptable(route, parsedQuery, payload)) return;
        const path = route.path.replaceAll(/:\w+/g, id);
        const response = await server.app.inject({
          method: route.method,
          url: `${API_BASE}${path}${sent.size > 0 ? `?${sent.toString()}` : ''}`,
          headers: {
            authorization: `Bearer ${stranger.token}`,
            ...(payload !== undefined && {
              'content-type': malformation === 'wrong type' ? 'text/plain' : 'application/json',
            }),
          },
          ...(payload !== undefined && { payload }),
        });
        calls += 1;
        const { error } = failureSchema.parse(response.json());
        expect(response.statusCode, `${route.method} ${path}: ${error.code}`).toBeGreaterThanOrEqual(400);
        expect(response.statusCode, `${route.method} ${path}: ${error.code}`).toBeLessThan(500);
      }),
      { numRuns: callsPerRoute },
    );
    expect(await contents()).toBe(before);
  },
  120_000,
);

test('that were at least 20,000 calls', () => {
  expect(calls).toBeGreaterThanOrEqual(CALLS);
});

test.each(table.filter(([, route]) => route.auth))('%s wants a signed-in user', async (_name, route) => {
  for (const authorization of [undefined, '', 'Bearer', 'Bearer x.y.z', `Basic ${stranger.token}`]) {
    const response = await server.app.inject({
      method: route.method,
      url: API_BASE + route.path.replaceAll(/:\w+/g, foreignIds[0] ?? ''),
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(response.statusCode).toBe(401);
    expect(failureSchema.parse(response.json()).error.code).toBe('AUTH_REQUIRED');
  }
});
