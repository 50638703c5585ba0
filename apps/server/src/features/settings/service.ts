import { BSC_CHAIN_IDS, type BodyOf, type Chain, type routes, type Settings } from '@kervan/contract';
import type { Database } from '@kervan/database';
import { sql } from 'kysely';
import { setHalted } from '../../engine/halt.ts';
import { choicesSchema, readSettings, type Choices } from '../../engine/user-settings.ts';
import type { HaltWatch } from './halt-watch.ts';

export type SettingsService = ReturnType<typeof createSettingsService>;

type SettingsChange = BodyOf<typeof routes.updateSettings>;

interface Dependencies {
  readonly db: Database;
  readonly haltWatch: Pick<HaltWatch, 'look'>;
}

export function createSettingsService({ db, haltWatch }: Dependencies) {
  return {
    read: async (userId: string): Promise<Settings> => toSettings(await readSettings(db, userId)),

    /** Changes what is sent and leaves the rest. Bots and open trades keep the network they were made for. */
    async update(userId: string, change: SettingsChange): Promise<Settings> {
      return await db.transaction().execute(async (trx) => {
        // Two changes at once must not undo each other: the user's row is there even before any settings are.
        await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
        const current = await readSettings(trx, userId);
        const settings = choicesSchema.parse({
          solana: merged(current.solana, change.solana),
          bsc: merged(current.bsc, change.bsc),
        });
        const data = JSON.stringify(settings);
        await trx
          .insertInto('settings')
          .values({ user_id: userId, data })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ data, updated_at: sql`now()` }))
          .execute();
        return toSettings(settings);
      });
    },

    /** Sets the halt switch. Once it returns with `halted`, nothing more is signed until it is released. */
    async halt(halted: boolean): Promise<void> {
      await setHalted(db, halted);
      await haltWatch.look();
    },
  };
}

function merged<C extends Chain>(current: Choices[C], change: SettingsChange[C]) {
  return {
    network: change?.network ?? current.network,
    limits: { ...current.limits, ...change?.limits },
  };
}

function toSettings({ solana, bsc }: Choices): Settings {
  return {
    solana: { ...solana, providerKey: null },
    bsc: { ...bsc, chainId: BSC_CHAIN_IDS[bsc.network], rpcUrl: null },
  };
}
