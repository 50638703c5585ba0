import { NATIVE, settingsSchema, type Chain, type Limits } from '@kervan/contract';
import type { Queryable } from '@kervan/database';
import { sql } from 'kysely';
import { decimalText, parseUnits, type TradeLimits } from '@kervan/domain';
import { z } from 'zod';

const NO_LIMITS_SET: Limits = { maxNativePerTrade: null, maxNativePerWalletPerDay: null };

const { solana, bsc } = settingsSchema.shape;

/** What a user has chosen; their own nodes are stored sealed, apart from it. */
export const choicesSchema = z.strictObject({
  solana: solana.pick({ network: true, limits: true }),
  bsc: bsc.pick({ network: true, limits: true }),
});
export type Choices = z.infer<typeof choicesSchema>;

/** What holds until a user chooses: the sandbox of both chains, no limits. */
export const DEFAULT_SETTINGS: Choices = {
  solana: { network: 'sandbox', limits: NO_LIMITS_SET },
  bsc: { network: 'sandbox', limits: NO_LIMITS_SET },
};

/** The settings of several users; whoever never chose has the defaults. */
export async function readSettingsOf(
  db: Queryable,
  userIds: readonly string[],
): Promise<(userId: string) => Choices> {
  const rows = await db
    .selectFrom('settings')
    .select(['user_id', 'data'])
    .where('user_id', '=', sql<string>`any(${[...new Set(userIds)]}::uuid[])`)
    .execute();
  const stored = new Map(rows.map((row) => [row.user_id, choicesSchema.parse(row.data)]));
  return (userId) => stored.get(userId) ?? DEFAULT_SETTINGS;
}

export async function readSettings(db: Queryable, userId: string): Promise<Choices> {
  const settingsOf = await readSettingsOf(db, [userId]);
  return settingsOf(userId);
}

/** The limits that a trade on `chain` is planned under. */
export function tradeLimits(settings: Choices, chain: Chain): TradeLimits {
  const { limits } = settings[chain];
  return {
    perTradeUnits: limitUnits(limits.maxNativePerTrade, chain),
    perWalletDayUnits: limitUnits(limits.maxNativePerWalletPerDay, chain),
  };
}

// Rounded down: what is finer than the chain's unit can't be spent anyway.
function limitUnits(value: number | null, chain: Chain): bigint | null {
  if (value === null) return null;
  const { decimals } = NATIVE[chain];
  const [whole = '0', fraction = ''] = decimalText(value).split('.');
  return parseUnits(`${whole}.${fraction.slice(0, decimals)}0`, decimals) ?? 0n;
}
