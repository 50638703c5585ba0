import { KervanError, NATIVE, type Chain, type ChartRange, type DataOf, type routes } from '@kervan/contract';
import type { Database } from '@kervan/database';
import { formatUnits, PRICE_DECIMALS, tokenPrice } from '@kervan/domain';
import type { PriceSource } from '../../engine/price-source.ts';
import { readSettings } from '../../engine/user-settings.ts';
import type { Clock } from '../../lib/clock.ts';
import type { BalanceSamples } from './balance-samples.ts';
import { rangeStart } from './range.ts';
import { readResults } from './results.ts';

/** As many as a chart can show apart. */
const POINTS_MAX = 300;

/** One native coin in units of a price, for prices that are in native coins. */
const ONE = 10n ** BigInt(PRICE_DECIMALS);

interface Dependencies {
  readonly db: Database;
  readonly samples: Pick<BalanceSamples, 'take' | 'read'>;
  readonly prices: PriceSource;
  readonly clock: Clock;
}

export type ChartsService = ReturnType<typeof createChartsService>;

export function createChartsService({ db, samples, prices, clock }: Dependencies) {
  const networkOf = async (userId: string, chain: Chain) => (await readSettings(db, userId))[chain].network;

  return {
    async balances(
      userId: string,
      chain: Chain,
      range: ChartRange,
    ): Promise<DataOf<typeof routes.balanceChart>> {
      const network = await networkOf(userId, chain);
      const key = { userId, chain, network };
      // What can't be asked now is drawn up to when it last could.
      await samples.take(key).catch(() => {});
      const start = rangeStart(range, clock());
      const points = (await samples.read(key, start, POINTS_MAX)).map(({ at, native_units }) => ({
        at: (at < start ? start : at).toISOString(),
        balance: formatUnits(native_units, NATIVE[chain].decimals),
      }));
      return { network, points };
    },

    async results(
      userId: string,
      chain: Chain,
      range: ChartRange,
    ): Promise<DataOf<typeof routes.resultChart>> {
      const network = await networkOf(userId, chain);
      const { decimals } = NATIVE[chain];
      let total = 0n;
      const days = await readResults(db, { userId, chain, network }, rangeStart(range, clock()));
      const points = days.map(({ date, netUnits, trades }) => {
        total += netUnits;
        return { date, net: formatUnits(netUnits, decimals), total: formatUnits(total, decimals), trades };
      });
      return { network, points };
    },

    /** Throws BOT_NOT_FOUND. */
    async bot(userId: string, botId: string, limit: number): Promise<DataOf<typeof routes.botChart>> {
      const bot = await db
        .selectFrom('bots')
        .select('token_symbol')
        .where('id', '=', botId)
        .where('user_id', '=', userId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (!bot) throw new KervanError('BOT_NOT_FOUND');
      const rows = await db
        .selectFrom('trades')
        .select(['chain', 'action', 'native_units', 'token_units', 'token_decimals', 'tx_id', 'executed_at'])
        .where('source_id', '=', botId)
        .where('source', '=', 'bot')
        .where('state', '=', 'success')
        .where('executed_at', 'is not', null)
        .orderBy('executed_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      const points = rows.toReversed().flatMap((row) => {
        const { chain, action, native_units, token_units, token_decimals, tx_id, executed_at } = row;
        if (native_units === null || token_units === null || tx_id === null || executed_at === null)
          return [];
        const nativeDecimals = NATIVE[chain].decimals;
        const price = tokenPrice({
          nativeUnits: native_units,
          nativeDecimals,
          nativePriceUnits: ONE,
          tokenUnits: token_units,
          tokenDecimals: token_decimals,
        });
        if (price === null) return [];
        return {
          at: executed_at.toISOString(),
          action,
          price,
          amount_sol: formatUnits(native_units, nativeDecimals),
          amount_tokens: formatUnits(token_units, token_decimals),
          transaction_hash: tx_id,
        };
      });
      return { token_symbol: bot.token_symbol, points };
    },

    async prices(userId: string): Promise<DataOf<typeof routes.getPrices>> {
      const settings = await readSettings(db, userId);
      const priceOf = async (chain: Chain) => {
        const { network } = settings[chain];
        const known = await prices.nativePriceUsd(chain, network);
        return { network, price: known?.price ?? null, at: known?.at.toISOString() ?? null };
      };
      const [solana, bsc] = await Promise.all([priceOf('solana'), priceOf('bsc')]);
      return { solana, bsc };
    },
  };
}
