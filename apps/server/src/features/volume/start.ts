import { randomBytes } from 'node:crypto';
import { KervanError, type Chain, type Network } from '@kervan/contract';
import { provenKind, type ChainPort, type TokenInfo } from '@kervan/chains';
import type { Database, VolumeSessionRow } from '@kervan/database';
import { isHalted } from '../../engine/halt.ts';
import type { Networks } from '../../engine/networks.ts';
import { requireTestNetwork } from '../../engine/test-networks.ts';
import { readSettings } from '../../engine/user-settings.ts';
import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { Vault } from '../../vault/vault.ts';
import { chooseVenue } from './choose-venue.ts';
import { walletName } from './intents.ts';
import { planMasterFunding } from './master-funds.ts';
import {
  findCurrentSession,
  findMaster,
  findSessionByKey,
  insertSession,
  insertSessionKeys,
  insertSessionWallets,
  lockUser,
  type Master,
  type NewSessionWallet,
} from './repository.ts';
import { createSessionKeys, type SessionKeys } from './session-keys.ts';

interface Dependencies {
  readonly db: Database;
  readonly vault: Pick<Vault, 'seal'>;
  readonly networks: Pick<Networks, 'keys' | 'kind' | 'verifiedPort'>;
  readonly clock: Clock;
  /** Called after the session is committed. */
  readonly onStarted: (session: VolumeSessionRow) => void;
}

/** What a person sets. */
export interface SessionWish {
  readonly masterWalletId?: string | undefined;
  /** A pasted key instead; it is sealed for the session. */
  readonly masterKey?: string | undefined;
  readonly tokenAddress: string;
  readonly walletCount: number;
  readonly minAmount: number;
  readonly maxAmount: number;
  readonly tradingIntervalMs: number;
  readonly slippageBps: number;
}

interface Call {
  readonly userId: string;
  readonly chain: Chain;
  readonly wish: SessionWish;
  /** The same key is the same session. */
  readonly idempotencyKey: string | undefined;
}

export type StartVolume = ReturnType<typeof createVolumeStart>;

/**
 * Starts sessions: asks the node what it serves, checks all that can be checked, makes the wallets, and commits them
 * with their sealed keys. Not a lamport has moved when this returns; from then on the rows carry the session.
 */
export function createVolumeStart({ db, vault, networks, clock, onStarted }: Dependencies) {
  async function start(call: Call): Promise<VolumeSessionRow> {
    const earlier = await findEarlier(call);
    if (earlier) return earlier;
    if (await isHalted(db)) throw new KervanError('TRADING_HALTED');
    const keys = createSessionKeys(networks.keys(call.chain), vault, call);
    try {
      const started = await startNew(call, keys);
      onStarted(started);
      return started;
    } catch (error) {
      // Two of the same start have met: the other one's session is this one's answer.
      const isLate = error instanceof KervanError && error.code === 'VOLUME_ALREADY_RUNNING';
      const same = isLate ? await findEarlier(call) : undefined;
      if (same) return same;
      throw error;
    } finally {
      keys.wipe();
    }
  }

  /** The session that the same call has started. Throws VOLUME_ALREADY_RUNNING if there is another one. */
  async function findEarlier({ userId, chain, idempotencyKey }: Call): Promise<VolumeSessionRow | undefined> {
    if (idempotencyKey !== undefined) {
      const same = await findSessionByKey(db, userId, idempotencyKey);
      if (same) return same;
    }
    if (await findCurrentSession(db, userId, chain)) throw new KervanError('VOLUME_ALREADY_RUNNING');
    return undefined;
  }

  async function startNew(call: Call, keys: SessionKeys): Promise<VolumeSessionRow> {
    const { userId, chain, wish } = call;
    const { network } = (await readSettings(db, userId))[chain];
    const port = await testPort(userId, chain, network);
    const token = await describeToken(port, wish.tokenAddress);
    const master = await masterOf(call, keys);
    const dexVersion = await chooseVenue(port, token.address, master.address, wish);
    const made: Master[] = [];
    while (made.length < wish.walletCount) made.push(await keys.make(walletName(made.length)));
    const seed = randomBytes(32);
    const fundings = await planMasterFunding(port, master.address, made[0]?.address ?? '', wish, seed);

    const sessionId = uuidv7();
    const wallets = made.map(({ id, address }, number): NewSessionWallet => {
      const funding_units = fundings[number] ?? 0n;
      return { wallet_id: id, session_id: sessionId, number, address, funding_units, status: 'funding' };
    });
    const now = clock();
    return await db.transaction().execute(async (trx) => {
      await lockUser(trx, userId);
      // A stored master can't be deleted before this commits, nor after it while the session lasts.
      const isThere =
        wish.masterKey !== undefined ||
        (await findMaster(trx, { userId, chain, walletId: master.id }, { isHeld: true })) !== undefined;
      if (!isThere) throw noMaster();
      await insertSessionKeys(trx, keys.sealed());
      const session = await insertSession(trx, {
        id: sessionId,
        user_id: userId,
        idempotency_key: call.idempotencyKey ?? null,
        chain,
        network,
        state: 'funding',
        master_wallet_id: master.id,
        master_name: master.name,
        master_address: master.address,
        is_master_pasted: wish.masterKey !== undefined,
        token_address: token.address,
        token_symbol: token.symbol,
        token_decimals: token.decimals,
        wallet_count: wish.walletCount,
        min_amount: wish.minAmount,
        max_amount: wish.maxAmount,
        trading_interval_ms: wish.tradingIntervalMs,
        slippage_bps: wish.slippageBps,
        dex_version: dexVersion,
        seed,
        next_at: now,
        started_at: now,
      });
      // The keys above go with it.
      if (!session) throw new KervanError('VOLUME_ALREADY_RUNNING');
      await insertSessionWallets(trx, wallets);
      return session;
    });
  }

  /** The network's port, if its node proves here and now that it serves a test network. */
  async function testPort(userId: string, chain: Chain, network: Network): Promise<ChainPort> {
    // What is live by its own name is not even asked.
    if (networks.kind(chain, network) === 'live') throw new KervanError('VOLUME_LIVE_NETWORK');
    try {
      const port = await networks.verifiedPort(chain, network, userId);
      await requireTestNetwork(port);
      return port;
    } catch (error) {
      if (error instanceof KervanError && error.code === 'NETWORK_MISMATCH') {
        const kind = provenKind(chain, String(error.context['actual']));
        if (kind !== 'sandbox' && kind !== 'test')
          throw new KervanError('VOLUME_LIVE_NETWORK', {}, { cause: error });
      }
      throw error;
    }
  }

  async function masterOf({ userId, chain, wish }: Call, keys: SessionKeys): Promise<Master> {
    if (wish.masterKey !== undefined)
      return await keys.paste(wish.masterKey).catch((error: unknown) => {
        throw inField(error, 'masterPrivateKey');
      });
    const walletId = wish.masterWalletId ?? '';
    const master = await findMaster(db, { userId, chain, walletId }, { isHeld: false });
    if (!master) throw noMaster();
    return master;
  }

  return start;
}

async function describeToken(port: ChainPort, address: string): Promise<TokenInfo> {
  return await port.describeToken(address).catch((error: unknown) => {
    throw inField(error, 'tokenAddress');
  });
}

function noMaster(): KervanError {
  return new KervanError('WALLET_NOT_FOUND', { field: 'masterWalletId' });
}

/** The same refusal with the name of the field that it is about. */
function inField(error: unknown, field: string): unknown {
  if (!(error instanceof KervanError)) return error;
  return new KervanError(error.code, { ...error.context, field }, { cause: error });
}
