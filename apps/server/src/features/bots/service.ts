import { randomBytes } from 'node:crypto';
import {
  KervanError,
  rangeIssue,
  SLIPPAGE_PERCENT_DEFAULT,
  type Action,
  type BotLog,
  type Chain,
  type DexVersion,
  type ErrorCode,
  type Network,
  type Page,
} from '@kervan/contract';
import type { BotRow, Database, Schema } from '@kervan/database';
import type { Transaction } from 'kysely';
import type { Networks } from '../../engine/networks.ts';
import { readSettings } from '../../engine/user-settings.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { BotLogs } from './bot-log.ts';
import { amountBounds, amountDecimals, type AmountFields } from './draws.ts';
import { editedLine } from './log-lines.ts';
import {
  findBot,
  holdWallet,
  insertBot,
  lockBot,
  pageOfBots,
  updateBot,
  type OwnedBot,
} from './repository.ts';
import type { BotSwitch, Changed } from './switch.ts';

interface Dependencies {
  readonly db: Database;
  readonly networks: Pick<Networks, 'verifiedPort'>;
  readonly botSwitch: BotSwitch;
  readonly logs: BotLogs;
}

/** What a person sets; the BSC fields stay away on Solana. */
export interface BotFields {
  readonly name: string;
  readonly wallet_id: string;
  readonly action: Action;
  readonly amount_min: number;
  readonly amount_max: number;
  readonly range_time_min: number;
  readonly range_time_max: number;
  readonly token_address?: string | null | undefined;
  readonly slippage_percent?: number | undefined;
  readonly pancakeswap_version?: DexVersion | undefined;
}

type SentFields = { readonly [K in keyof BotFields]?: BotFields[K] | undefined };
export type BotEdit = SentFields & { readonly is_active?: boolean | undefined };

type TokenColumns = Pick<BotRow, 'token_address' | 'token_symbol' | 'token_decimals'>;
type EditedColumns = Partial<
  TokenColumns &
    Pick<
      BotRow,
      | 'name'
      | 'wallet_id'
      | 'action'
      | 'amount_min'
      | 'amount_max'
      | 'range_time_min'
      | 'range_time_max'
      | 'slippage_bps'
      | 'dex_version'
    >
>;
type SentColumns = { [K in keyof EditedColumns]: EditedColumns[K] | undefined };
/** How a chain says that an address is no token's. */
const noToken: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['TOKEN_ADDRESS_INVALID', 'TOKEN_NOT_FOUND']);
const NO_TOKEN: TokenColumns = { token_address: null, token_symbol: null, token_decimals: null };

export type BotsService = ReturnType<typeof createBotsService>;

/** The bots of both chains: a Solana bot always has a token, a BSC bot may wait for one. */
export function createBotsService({ db, networks, botSwitch, logs }: Dependencies) {
  async function get(owned: OwnedBot): Promise<BotRow> {
    const bot = await findBot(db, owned);
    if (!bot) throw new KervanError('BOT_NOT_FOUND');
    return bot;
  }

  /** Changes one bot under its lock, and tells of it after the commit. */
  async function change(
    owned: OwnedBot,
    apply: (trx: Transaction<Schema>, bot: BotRow) => Promise<Changed>,
  ): Promise<BotRow> {
    const { bot, tell } = await db.transaction().execute(async (trx) => {
      const locked = await lockBot(trx, owned);
      if (!locked) throw new KervanError('BOT_NOT_FOUND');
      return await apply(trx, locked);
    });
    tell();
    return bot;
  }

  async function resolveToken(
    { userId, chain, network }: { userId: string; chain: Chain; network: Network },
    address: string,
  ): Promise<TokenColumns> {
    try {
      const port = await networks.verifiedPort(chain, network, userId);
      const token = await port.describeToken(address);
      return { token_address: token.address, token_symbol: token.symbol, token_decimals: token.decimals };
    } catch (error) {
      if (error instanceof KervanError && noToken.has(error.code))
        throw new KervanError('TOKEN_ADDRESS_INVALID', { field: 'token_address' }, { cause: error });
      throw error;
    }
  }

  async function requireWallet(
    trx: Transaction<Schema>,
    wallet: { userId: string; chain: Chain; walletId: string },
  ): Promise<void> {
    if (!(await holdWallet(trx, wallet))) throw new KervanError('WALLET_NOT_FOUND');
  }

  /** The bot trades on the network that the user has chosen at this moment, for good. */
  async function create(userId: string, chain: Chain, fields: BotFields): Promise<BotRow> {
    const { network } = (await readSettings(db, userId))[chain];
    const token =
      typeof fields.token_address === 'string'
        ? await resolveToken({ userId, chain, network }, fields.token_address)
        : NO_TOKEN;
    const bot = {
      ...columns(fields),
      ...token,
      id: uuidv7(),
      user_id: userId,
      wallet_id: fields.wallet_id,
      chain,
      network,
      slippage_bps: toBps(fields.slippage_percent ?? SLIPPAGE_PERCENT_DEFAULT),
      dex_version: chain === 'bsc' ? (fields.pancakeswap_version ?? 'v2') : null,
      seed: randomBytes(32),
    };
    checkAmounts(bot);
    return await db.transaction().execute(async (trx) => {
      await requireWallet(trx, { userId, chain, walletId: fields.wallet_id });
      return await insertBot(trx, bot);
    });
  }

  async function update(owned: OwnedBot, edit: BotEdit): Promise<BotRow> {
    const { is_active, ...fields } = edit;
    const token = await newToken(owned, fields.token_address);
    return await change(owned, async (trx, bot) => {
      const edited = changedColumns(bot, { ...columns(fields), ...token });
      const next = { ...bot, ...edited };
      const issue = rangeIssue(next);
      if (issue) throw new KervanError(issue.code, { field: issue.field });
      checkAmounts(next);
      if (edited.wallet_id !== undefined)
        await requireWallet(trx, { userId: bot.user_id, chain: bot.chain, walletId: edited.wallet_id });
      if (next.token_address === null && (is_active ?? bot.is_active))
        throw new KervanError('BOT_TOKEN_REQUIRED');

      const saved = await save(trx, bot, edited);
      const switched = await switchTo(trx, saved.bot, is_active);
      return {
        bot: switched.bot,
        tell: () => {
          saved.tell();
          switched.tell();
        },
      };
    });
  }

  /** Resolved before the bot is locked, and only if it is another token than the bot has. */
  async function newToken(
    owned: OwnedBot,
    address: string | null | undefined,
  ): Promise<Partial<TokenColumns>> {
    if (address === undefined) return {};
    if (address === null) return NO_TOKEN;
    const { chain, network, token_address: current } = await get(owned);
    const isSame = chain === 'bsc' ? current?.toLowerCase() === address.toLowerCase() : current === address;
    return isSame ? {} : await resolveToken({ userId: owned.userId, chain, network }, address);
  }

  async function save(trx: Transaction<Schema>, bot: BotRow, edited: EditedColumns): Promise<Changed> {
    const names = Object.keys(edited);
    if (names.length === 0) return { bot, tell: () => {} };
    const saved = await updateBot(trx, bot.id, edited);
    const tell = await logs.append(trx, [{ botId: bot.id, userId: bot.user_id, ...editedLine(names) }]);
    return { bot: saved, tell };
  }

  async function switchTo(
    trx: Transaction<Schema>,
    bot: BotRow,
    isActive: boolean | undefined,
  ): Promise<Changed> {
    if (isActive === false) return await botSwitch.stop(trx, bot);
    if (isActive === true && !bot.is_active) return await botSwitch.start(trx, bot);
    return await botSwitch.keepWithinRange(trx, bot);
  }

  async function remove(owned: OwnedBot): Promise<void> {
    await change(owned, async (trx, bot) => {
      const { tell } = await botSwitch.stop(trx, bot);
      return { bot: await updateBot(trx, bot.id, { deleted_at: new Date() }), tell };
    });
  }

  async function pageOfLogs(owned: OwnedBot, page: Page): Promise<{ rows: BotLog[]; total: number }> {
    const bot = await get(owned);
    return await logs.page(bot.id, page);
  }

  return {
    page: (userId: string, chain: Chain, page: Page) => pageOfBots(db, { userId, chain, ...page }),
    get,
    create,
    update,
    remove,
    start: (owned: OwnedBot) => change(owned, (trx, bot) => botSwitch.start(trx, bot)),
    stop: (owned: OwnedBot) => change(owned, (trx, bot) => botSwitch.stop(trx, bot)),
    pageOfLogs,
  };
}

function toBps(percent: number): number {
  return Math.round(percent * 100);
}

/** The sent fields as columns, the token aside. */
function columns<F extends SentFields>(fields: F) {
  const { token_address: _token, slippage_percent, pancakeswap_version, ...same } = fields;
  return {
    ...same,
    ...(slippage_percent !== undefined && { slippage_bps: toBps(slippage_percent) }),
    ...(pancakeswap_version !== undefined && { dex_version: pancakeswap_version }),
  };
}

/** What of the sent columns differs from the row. */
function changedColumns(bot: BotRow, sent: SentColumns): EditedColumns {
  // Object.keys knows no key types; `sent` has none but these.
  const keys = Object.keys(sent) as (keyof EditedColumns)[];
  const changed = keys.filter((key) => sent[key] !== undefined && sent[key] !== bot[key]);
  return Object.fromEntries(changed.map((key) => [key, sent[key]]));
}

/** Amounts that the token (or SOL, BNB) has not the decimals for are refused; without a token yet, nothing is known. */
function checkAmounts(bot: AmountFields): void {
  const decimals = amountDecimals(bot);
  if (decimals !== null && amountBounds(bot) === undefined)
    throw new KervanError('AMOUNT_TOO_PRECISE', { decimals });
}
