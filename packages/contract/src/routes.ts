import { z } from 'zod';
import {
  bothWeathersSchema,
  faucetResultSchema,
  faucetSchema,
  sandboxSchema,
  updateWeatherSchema,
} from './schemas/sandbox.ts';
import {
  botLogSchema,
  botLogsQuery,
  bscBotSchema,
  createBscBotSchema,
  createSolanaBotSchema,
  executeResultSchema,
  solanaBotSchema,
  updateBscBotSchema,
  updateSolanaBotSchema,
} from './schemas/bots.ts';
import { credentialsSchema, sessionSchema } from './schemas/auth.ts';
import {
  balanceChartSchema,
  botChartQuery,
  botChartSchema,
  chartQuery,
  pricesSchema,
  resultChartSchema,
} from './schemas/charts.ts';
import { sessionInfoSchema, sessionsEndedSchema } from './schemas/sessions.ts';
import {
  enterpriseLogListSchema,
  enterpriseLogsCsvQuery,
  enterpriseLogsQuery,
} from './schemas/enterprise.ts';
import { haltSchema, networkInfoSchema, settingsSchema, updateSettingsSchema } from './schemas/settings.ts';
import { solanaRpcResultSchema, solanaRpcSchema } from './schemas/solana-rpc.ts';
import { healthSchema } from './schemas/system.ts';
import { idParams, listQuery } from './primitives.ts';
import {
  mintParams,
  tokenAddressParams,
  tokenSchema,
  tokenSearchQuery,
  tokenSearchSchema,
} from './schemas/tokens.ts';
import { tradeDetailSchema, tradeListSchema, tradesQuery } from './schemas/trades.ts';
import {
  balanceMapSchema,
  bscBalancesQuery,
  bscTokenBalancesSchema,
  bscWalletSchema,
  createBscWalletSchema,
  createSolanaWalletSchema,
  solanaBalancesSchema,
  solanaTokenBalancesQuery,
  solanaWalletSchema,
  walletBalanceSchema,
  walletTransactionDetailSchema,
  walletTransactionParams,
  walletTransactionSchema,
  walletTransactionsQuery,
} from './schemas/wallets.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Route {
  readonly method: Method;
  /** Below /api/v1; `:id` names a parameter. */
  readonly path: string;
  /** Whether a signed-in user is needed. */
  readonly auth: boolean;
  readonly summary: string;
  readonly tag: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The shape of `data` in the envelope; of the whole answer where it is a file. */
  readonly data: z.ZodType;
  /** The media type of an answer that is a file instead of an envelope. */
  readonly file?: 'text/csv';
  /** Answers the same request with the same `Idempotency-Key` the same way. */
  readonly isIdempotent?: boolean;
}

const route = <const R extends Route>(definition: R): R => definition;

const nothing = z.null();

/** Every call of the API (spec §7). The server registers each by name; the web app calls them by it. */
export const routes = {
  register: route({
    method: 'POST',
    path: '/auth/register',
    auth: false,
    tag: 'Auth',
    summary: 'Create an account and sign in',
    body: credentialsSchema,
    data: sessionSchema,
  }),
  login: route({
    method: 'POST',
    path: '/auth/login',
    auth: false,
    tag: 'Auth',
    summary: 'Sign in',
    body: credentialsSchema,
    data: sessionSchema,
  }),
  logout: route({
    method: 'POST',
    path: '/auth/logout',
    auth: false,
    tag: 'Auth',
    summary: 'End this session',
    data: nothing,
  }),
  refresh: route({
    method: 'POST',
    path: '/auth/refresh',
    auth: false,
    tag: 'Auth',
    summary: 'New access token for the refresh cookie',
    data: sessionSchema,
  }),

  listSessions: route({
    method: 'GET',
    path: '/auth/sessions',
    auth: true,
    tag: 'Auth',
    summary: 'The sign-ins that still hold, the newest first',
    query: listQuery,
    data: z.array(sessionInfoSchema),
  }),
  endSession: route({
    method: 'DELETE',
    path: '/auth/sessions/:id',
    auth: true,
    tag: 'Auth',
    summary: 'End one sign-in, with its sockets',
    params: idParams,
    data: nothing,
  }),
  endSessions: route({
    method: 'POST',
    path: '/auth/sessions/revoke-all',
    auth: true,
    tag: 'Auth',
    summary: 'Log out everywhere, here included',
    data: sessionsEndedSchema,
  }),

  listWallets: route({
    method: 'GET',
    path: '/wallets',
    auth: true,
    tag: 'Solana wallets',
    summary: 'All Solana wallets',
    query: listQuery,
    data: z.array(solanaWalletSchema),
  }),
  createWallet: route({
    method: 'POST',
    path: '/wallets',
    auth: true,
    tag: 'Solana wallets',
    summary: 'Import a Solana wallet, or generate one by leaving the key out',
    body: createSolanaWalletSchema,
    data: solanaWalletSchema,
  }),
  getWallet: route({
    method: 'GET',
    path: '/wallets/:id',
    auth: true,
    tag: 'Solana wallets',
    summary: 'One Solana wallet',
    params: idParams,
    data: solanaWalletSchema,
  }),
  deleteWallet: route({
    method: 'DELETE',
    path: '/wallets/:id',
    auth: true,
    tag: 'Solana wallets',
    summary: 'Delete a Solana wallet and its key',
    params: idParams,
    data: nothing,
  }),
  walletBalances: route({
    method: 'GET',
    path: '/wallets/balances',
    auth: true,
    tag: 'Solana wallets',
    summary: 'SOL of every Solana wallet, by public key',
    data: solanaBalancesSchema,
  }),
  walletTokenBalances: route({
    method: 'GET',
    path: '/wallets/token-balances',
    auth: true,
    tag: 'Solana wallets',
    summary: 'One token’s balance in every Solana wallet, by public key',
    query: solanaTokenBalancesQuery,
    data: balanceMapSchema,
  }),

  walletBalance: route({
    method: 'GET',
    path: '/wallets/:id/balance',
    auth: true,
    tag: 'Solana wallets',
    summary: 'SOL and tokens of a Solana wallet on the chosen network, and their worth',
    params: idParams,
    data: walletBalanceSchema,
  }),
  walletTransactions: route({
    method: 'GET',
    path: '/wallets/:id/transactions',
    auth: true,
    tag: 'Solana wallets',
    summary: 'The newest transactions of a Solana wallet on the chosen network, newest first',
    params: idParams,
    query: walletTransactionsQuery,
    data: z.array(walletTransactionSchema),
  }),
  walletTransaction: route({
    method: 'GET',
    path: '/wallets/:id/transactions/:signature',
    auth: true,
    tag: 'Solana wallets',
    summary: 'One transaction of a Solana wallet, with its accounts and logs',
    params: walletTransactionParams,
    data: walletTransactionDetailSchema,
  }),

  listBots: route({
    method: 'GET',
    path: '/bots',
    auth: true,
    tag: 'Solana bots',
    summary: 'All Solana bots',
    query: listQuery,
    data: z.array(solanaBotSchema),
  }),
  createBot: route({
    method: 'POST',
    path: '/bots',
    auth: true,
    tag: 'Solana bots',
    summary: 'Create a Solana bot',
    body: createSolanaBotSchema,
    data: solanaBotSchema,
  }),
  getBot: route({
    method: 'GET',
    path: '/bots/:id',
    auth: true,
    tag: 'Solana bots',
    summary: 'One Solana bot',
    params: idParams,
    data: solanaBotSchema,
  }),
  updateBot: route({
    method: 'PUT',
    path: '/bots/:id',
    auth: true,
    tag: 'Solana bots',
    summary: 'Change a Solana bot, running or not',
    params: idParams,
    body: updateSolanaBotSchema,
    data: solanaBotSchema,
  }),
  deleteBot: route({
    method: 'DELETE',
    path: '/bots/:id',
    auth: true,
    tag: 'Solana bots',
    summary: 'Stop and delete a Solana bot',
    params: idParams,
    data: nothing,
  }),
  startBot: route({
    method: 'POST',
    path: '/bots/:id/start',
    auth: true,
    tag: 'Solana bots',
    summary: 'Start a Solana bot',
    params: idParams,
    data: solanaBotSchema,
  }),
  stopBot: route({
    method: 'POST',
    path: '/bots/:id/stop',
    auth: true,
    tag: 'Solana bots',
    summary: 'Stop a Solana bot',
    params: idParams,
    data: solanaBotSchema,
  }),
  executeBot: route({
    method: 'POST',
    path: '/bots/:id/execute',
    auth: true,
    tag: 'Solana bots',
    summary: 'Trade once now, outside the schedule',
    params: idParams,
    data: executeResultSchema,
    isIdempotent: true,
  }),
  botLogs: route({
    method: 'GET',
    path: '/bots/:id/logs',
    auth: true,
    tag: 'Solana bots',
    summary: 'The newest log entries of a Solana bot, newest first',
    params: idParams,
    query: botLogsQuery,
    data: z.array(botLogSchema),
  }),

  listBscWallets: route({
    method: 'GET',
    path: '/bsc/wallets',
    auth: true,
    tag: 'BSC wallets',
    summary: 'All BSC wallets',
    query: listQuery,
    data: z.array(bscWalletSchema),
  }),
  createBscWallet: route({
    method: 'POST',
    path: '/bsc/wallets',
    auth: true,
    tag: 'BSC wallets',
    summary: 'Import a BSC wallet, or generate one by leaving the key out',
    body: createBscWalletSchema,
    data: bscWalletSchema,
  }),
  deleteBscWallet: route({
    method: 'DELETE',
    path: '/bsc/wallets/:id',
    auth: true,
    tag: 'BSC wallets',
    summary: 'Delete a BSC wallet and its key',
    params: idParams,
    data: nothing,
  }),
  bscBalances: route({
    method: 'GET',
    path: '/bsc/wallets/balances',
    auth: true,
    tag: 'BSC wallets',
    summary: 'BNB of the given addresses',
    query: bscBalancesQuery,
    data: balanceMapSchema,
  }),
  bscTokenBalances: route({
    method: 'POST',
    path: '/bsc/wallets/token-balances',
    auth: true,
    tag: 'BSC wallets',
    summary: 'One token’s balance at the given addresses',
    body: bscTokenBalancesSchema,
    data: balanceMapSchema,
  }),

  listBscBots: route({
    method: 'GET',
    path: '/bsc/bots',
    auth: true,
    tag: 'BSC bots',
    summary: 'All BSC bots',
    query: listQuery,
    data: z.array(bscBotSchema),
  }),
  createBscBot: route({
    method: 'POST',
    path: '/bsc/bots',
    auth: true,
    tag: 'BSC bots',
    summary: 'Create a BSC bot',
    body: createBscBotSchema,
    data: bscBotSchema,
  }),
  getBscBot: route({
    method: 'GET',
    path: '/bsc/bots/:id',
    auth: true,
    tag: 'BSC bots',
    summary: 'One BSC bot',
    params: idParams,
    data: bscBotSchema,
  }),
  updateBscBot: route({
    method: 'PUT',
    path: '/bsc/bots/:id',
    auth: true,
    tag: 'BSC bots',
    summary: 'Change, start or stop a BSC bot',
    params: idParams,
    body: updateBscBotSchema,
    data: bscBotSchema,
  }),
  deleteBscBot: route({
    method: 'DELETE',
    path: '/bsc/bots/:id',
    auth: true,
    tag: 'BSC bots',
    summary: 'Stop and delete a BSC bot',
    params: idParams,
    data: nothing,
  }),
  executeBscBot: route({
    method: 'POST',
    path: '/bsc/bots/:id/execute',
    auth: true,
    tag: 'BSC bots',
    summary: 'Trade once now, outside the schedule',
    params: idParams,
    data: executeResultSchema,
    isIdempotent: true,
  }),
  bscBotLogs: route({
    method: 'GET',
    path: '/bsc/bots/:id/logs',
    auth: true,
    tag: 'BSC bots',
    summary: 'The newest log entries of a BSC bot, newest first',
    params: idParams,
    query: botLogsQuery,
    data: z.array(botLogSchema),
  }),

  getToken: route({
    method: 'GET',
    path: '/tokens/:mint',
    auth: true,
    tag: 'Tokens',
    summary: 'What is known of a Solana mint, valid or not',
    params: mintParams,
    data: tokenSchema,
  }),
  getBscToken: route({
    method: 'GET',
    path: '/bsc/tokens/:address',
    auth: true,
    tag: 'Tokens',
    summary: 'What is known of a BSC token address, valid or not',
    params: tokenAddressParams,
    data: tokenSchema,
  }),

  searchTokens: route({
    method: 'GET',
    path: '/tokens/search/query',
    auth: true,
    tag: 'Tokens',
    summary: 'Tokens by name, symbol or address',
    query: tokenSearchQuery,
    data: tokenSearchSchema,
  }),

  listTrades: route({
    method: 'GET',
    path: '/trades',
    auth: true,
    tag: 'Trades',
    summary: 'Trades of both chains, filtered and paginated',
    query: tradesQuery,
    data: tradeListSchema,
  }),
  getTrade: route({
    method: 'GET',
    path: '/trades/:id',
    auth: true,
    tag: 'Trades',
    summary: 'One trade, with its life and its transactions',
    params: idParams,
    data: tradeDetailSchema,
  }),

  enterpriseLogs: route({
    method: 'GET',
    path: '/enterprise/logs',
    auth: true,
    tag: 'Enterprise logs',
    summary: 'Successful trades of both chains, newest first, filtered and paginated',
    query: enterpriseLogsQuery,
    data: enterpriseLogListSchema,
  }),
  enterpriseLogsCsv: route({
    method: 'GET',
    path: '/enterprise/logs.csv',
    auth: true,
    tag: 'Enterprise logs',
    summary: 'All successful trades that the filters let through, as a CSV file',
    query: enterpriseLogsCsvQuery,
    file: 'text/csv',
    data: z.string(),
  }),

  balanceChart: route({
    method: 'GET',
    path: '/charts/balances',
    auth: true,
    tag: 'Charts',
    summary: 'Native balance of all wallets over time',
    query: chartQuery,
    data: balanceChartSchema,
  }),
  resultChart: route({
    method: 'GET',
    path: '/charts/results',
    auth: true,
    tag: 'Charts',
    summary: 'Realised result by day',
    query: chartQuery,
    data: resultChartSchema,
  }),
  botChart: route({
    method: 'GET',
    path: '/charts/bots/:id',
    auth: true,
    tag: 'Charts',
    summary: 'The prices of a bot’s trades, on either chain',
    params: idParams,
    query: botChartQuery,
    data: botChartSchema,
  }),
  getPrices: route({
    method: 'GET',
    path: '/prices',
    auth: true,
    tag: 'Charts',
    summary: 'What one SOL and one BNB are worth',
    data: pricesSchema,
  }),

  solanaRpc: route({
    method: 'POST',
    path: '/rpc/solana',
    auth: true,
    tag: 'Solana data',
    summary: 'Read-only calls to the node of the chosen network, with the user’s provider key',
    body: solanaRpcSchema,
    data: solanaRpcResultSchema,
  }),

  getSettings: route({
    method: 'GET',
    path: '/settings',
    auth: true,
    tag: 'Settings',
    summary: 'Networks, nodes and limits',
    data: settingsSchema,
  }),
  updateSettings: route({
    method: 'PUT',
    path: '/settings',
    auth: true,
    tag: 'Settings',
    summary: 'Change networks, nodes and limits; a node is asked before it is saved',
    body: updateSettingsSchema,
    data: settingsSchema,
  }),
  listNetworks: route({
    method: 'GET',
    path: '/networks',
    auth: true,
    tag: 'Settings',
    summary: 'The networks of both chains, and what is wrong with those that are in use',
    query: listQuery,
    data: z.array(networkInfoSchema),
  }),
  getHalt: route({
    method: 'GET',
    path: '/halt',
    auth: true,
    tag: 'Settings',
    summary: 'Whether trading is halted',
    data: haltSchema,
  }),
  setHalt: route({
    method: 'POST',
    path: '/halt',
    auth: true,
    tag: 'Settings',
    summary: 'Stop all signing at once, or release it',
    body: haltSchema,
    data: haltSchema,
  }),

  getSandbox: route({
    method: 'GET',
    path: '/sandbox',
    auth: true,
    tag: 'Sandbox',
    summary: 'Addresses of the local chains, their tokens and contracts',
    data: sandboxSchema,
  }),
  faucet: route({
    method: 'POST',
    path: '/sandbox/faucet',
    auth: true,
    tag: 'Sandbox',
    summary: 'Grant SOL, BNB or tokens on a local chain',
    body: faucetSchema,
    data: faucetResultSchema,
  }),
  getWeather: route({
    method: 'GET',
    path: '/sandbox/weather',
    auth: true,
    tag: 'Sandbox',
    summary: 'What goes wrong on purpose',
    data: bothWeathersSchema,
  }),
  setWeather: route({
    method: 'PUT',
    path: '/sandbox/weather',
    auth: true,
    tag: 'Sandbox',
    summary: 'Make things go wrong on purpose',
    body: updateWeatherSchema,
    data: bothWeathersSchema,
  }),

  health: route({
    method: 'GET',
    path: '/health',
    auth: false,
    tag: 'System',
    summary: 'Whether the server works, and what is wrong when it does not',
    data: healthSchema,
  }),
} as const;

export type RouteName = keyof typeof routes;

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;
type Sent<T> = T extends z.ZodType ? z.input<T> : undefined;

/** What a handler of the route receives, after parsing. */
export type ParamsOf<R extends Route> = Parsed<R['params']>;
export type QueryOf<R extends Route> = Parsed<R['query']>;
export type BodyOf<R extends Route> = Parsed<R['body']>;
/** What a caller of the route sends. */
export type BodySentTo<R extends Route> = Sent<R['body']>;
export type DataOf<R extends Route> = z.output<R['data']>;
export type ParamsSentTo<R extends Route> = Sent<R['params']>;
export type QuerySentTo<R extends Route> = Sent<R['query']>;
