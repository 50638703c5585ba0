import {
  BSC_CHAIN_IDS,
  KervanError,
  type BodyOf,
  type Chain,
  type routes,
  type Settings,
} from '@kervan/contract';
import type { Database, Queryable, UserNodeName } from '@kervan/database';
import { sql } from 'kysely';
import { setHalted } from '../../engine/halt.ts';
import type { LiveServices } from '../../engine/live-nodes.ts';
import { userNodeName, type UserNodes } from '../../engine/user-nodes.ts';
import { choicesSchema, readSettings, type Choices } from '../../engine/user-settings.ts';
import type { HaltWatch } from './halt-watch.ts';
import { maskKey, maskUrl } from './mask.ts';
import { checkBscNode, checkSolanaNode } from './node-check.ts';

export type SettingsService = ReturnType<typeof createSettingsService>;

type SettingsChange = BodyOf<typeof routes.updateSettings>;

interface Dependencies {
  readonly db: Database;
  readonly haltWatch: Pick<HaltWatch, 'look'>;
  readonly userNodes: Pick<UserNodes, 'hints' | 'store' | 'load'>;
  readonly live: Pick<LiveServices, 'providerNode'>;
}

interface NodeChange {
  readonly name: UserNodeName;
  /** Null forgets the node. */
  readonly node: { readonly value: string; readonly hint: string } | null;
}

export function createSettingsService({ db, haltWatch, userNodes, live }: Dependencies) {
  async function toSettings(trx: Queryable, userId: string, { solana, bsc }: Choices): Promise<Settings> {
    const hints = await userNodes.hints(trx, userId);
    const bscNode = userNodeName('bsc', bsc.network);
    return {
      solana: { ...solana, providerKey: hints.get('solana-provider-key') ?? null },
      bsc: {
        ...bsc,
        chainId: BSC_CHAIN_IDS[bsc.network],
        rpcUrl: (bscNode && hints.get(bscNode)) ?? null,
      },
    };
  }

  /** What the change says of nodes, each asked which network it serves. */
  async function checkedNodes(current: Choices, change: SettingsChange): Promise<NodeChange[]> {
    const nodes: NodeChange[] = [];
    const providerKey = change.solana?.providerKey;
    if (providerKey !== undefined) {
      const network = change.solana?.network ?? current.solana.network;
      // The sandbox needs no provider; the key is met by its provider when a network of it is chosen.
      if (providerKey !== null && network !== 'sandbox')
        await checkSolanaNode('solana.providerKey', live.providerNode(network, providerKey).rpcUrl, network);
      nodes.push({
        name: 'solana-provider-key',
        node: providerKey === null ? null : { value: providerKey, hint: maskKey(providerKey) },
      });
    }
    const rpcUrl = change.bsc?.rpcUrl;
    if (rpcUrl !== undefined) {
      const network = bscNetworkOf(change.bsc) ?? current.bsc.network;
      const name = userNodeName('bsc', network);
      if (name !== undefined) {
        if (rpcUrl !== null) await checkBscNode('bsc.rpcUrl', rpcUrl, network);
        nodes.push({ name, node: rpcUrl === null ? null : { value: rpcUrl, hint: maskUrl(rpcUrl) } });
      } else if (rpcUrl !== null) throw new KervanError('SANDBOX_NODE_FIXED', { field: 'bsc.rpcUrl' });
    }
    return nodes;
  }

  return {
    read: async (userId: string): Promise<Settings> => toSettings(db, userId, await readSettings(db, userId)),

    /**
     * Changes what is sent and leaves the rest. Bots and open trades keep the network they were made for. Throws
     * NODE_UNREACHABLE, NODE_MISMATCH or PROVIDER_KEY_REFUSED for a node that is not what it should be, and then
     * changes nothing.
     */
    async update(userId: string, change: SettingsChange): Promise<Settings> {
      const nodes = await checkedNodes(await readSettings(db, userId), change);
      const settings = await db.transaction().execute(async (trx) => {
        // Two changes at once must not undo each other: the user's row is there even before any settings are.
        await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
        const current = await readSettings(trx, userId);
        const choices = choicesSchema.parse({
          solana: merged(current.solana, change.solana),
          bsc: merged(current.bsc, { ...change.bsc, network: bscNetworkOf(change.bsc) }),
        });
        const data = JSON.stringify(choices);
        await trx
          .insertInto('settings')
          .values({ user_id: userId, data })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ data, updated_at: sql`now()` }))
          .execute();
        for (const { name, node } of nodes) await userNodes.store(trx, userId, name, node);
        return await toSettings(trx, userId, choices);
      });
      if (nodes.length > 0) await userNodes.load();
      return settings;
    },

    /** Sets the halt switch. Once it returns with `halted`, nothing more is signed until it is released. */
    async halt(halted: boolean): Promise<void> {
      await setHalted(db, halted);
      await haltWatch.look();
    },
  };
}

/** The network that is named by itself or by its chain id; both must say the same. */
function bscNetworkOf(change: SettingsChange['bsc']): Choices['bsc']['network'] | undefined {
  const { network, chainId } = change ?? {};
  if (chainId === undefined) return network;
  if (network !== undefined && BSC_CHAIN_IDS[network] !== chainId) {
    const options = String(BSC_CHAIN_IDS[network]);
    throw new KervanError('VALIDATION_FAILED', { field: 'bsc.chainId', issue: 'not_option', options });
  }
  return (['sandbox', 'testnet', 'mainnet'] as const).find((each) => BSC_CHAIN_IDS[each] === chainId);
}

function merged<C extends Chain>(current: Choices[C], change: SettingsChange[C]) {
  return {
    network: change?.network ?? current.network,
    limits: { ...current.limits, ...change?.limits },
  };
}
