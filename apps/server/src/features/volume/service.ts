import { KervanError, type Chain, type Page } from '@kervan/contract';
import type { Database, Schema, VolumeSessionRow, VolumeWalletRow } from '@kervan/database';
import type { Transaction } from 'kysely';
import type { Networks } from '../../engine/networks.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Notifier } from '../../realtime/notifier.ts';
import { beginDraining, drainAgain } from './drain.ts';
import {
  findCurrentSession,
  findMaster,
  findSession,
  lockSession,
  lockUser,
  pageOfSessions,
  walletsOf,
  type OwnedSession,
  type SessionWithWallets,
} from './repository.ts';
import { isActive, isRunning, volumeUpdated } from './to-volume.ts';

interface Dependencies {
  readonly db: Database;
  readonly networks: Pick<Networks, 'port'>;
  readonly notifier: Notifier;
  readonly clock: Clock;
  /** The session may go on at once. */
  readonly onMoved: (session: VolumeSessionRow) => void;
}

/** A node that takes longer has nothing to tell for this poll of the screen. */
const BALANCES_TIMEOUT_MS = 3_000;

/** What the chain shows in a wallet at this moment; null while it does not answer. */
export interface WalletView {
  readonly session: VolumeSessionRow;
  readonly wallet: VolumeWalletRow;
  readonly nativeUnits: bigint | null;
  readonly tokenUnits: bigint | null;
}

export type VolumeService = ReturnType<typeof createVolumeService>;

/** Sessions as their owner sees them, stops them, and has them drained again. */
export function createVolumeService({ db, networks, notifier, clock, onMoved }: Dependencies) {
  /** Undefined while there is none. */
  async function current(userId: string, chain: Chain): Promise<SessionWithWallets | undefined> {
    const session = await findCurrentSession(db, userId, chain);
    return session && { session, wallets: await walletsOf(db, [session.id]) };
  }

  async function detail(owned: OwnedSession): Promise<SessionWithWallets> {
    const session = await findSession(db, owned);
    if (!session) throw new KervanError('VOLUME_SESSION_NOT_FOUND');
    return { session, wallets: await walletsOf(db, [session.id]) };
  }

  async function page(
    userId: string,
    chain: Chain,
    { page: number, limit }: Page,
  ): Promise<{ rows: SessionWithWallets[]; total: number }> {
    const { rows, total } = await pageOfSessions(db, { userId, chain, page: number, limit });
    const wallets = Map.groupBy(
      await walletsOf(
        db,
        rows.map((session) => session.id),
      ),
      (wallet) => wallet.session_id,
    );
    return {
      rows: rows.map((session) => ({ session, wallets: wallets.get(session.id) ?? [] })),
      total,
    };
  }

  /** The current session's wallets that are not empty yet, with what the chain shows in them. */
  async function activeWallets(userId: string, chain: Chain): Promise<WalletView[]> {
    const found = await current(userId, chain);
    if (!found) return [];
    const { session } = found;
    const wallets = found.wallets.filter(isActive);
    const addresses = wallets.map((wallet) => wallet.address);
    const [native, tokens] = await balances(session, addresses);
    return wallets.map((wallet) => ({
      session,
      wallet,
      nativeUnits: native?.get(wallet.address) ?? null,
      tokenUnits: tokens?.get(wallet.address) ?? null,
    }));
  }

  /** Null for what the node does not tell: the rest of the answer need not wait for it. */
  async function balances(
    { chain, network, token_address, user_id }: VolumeSessionRow,
    addresses: readonly string[],
  ) {
    try {
      const port = networks.port(chain, network, user_id);
      const signal = AbortSignal.timeout(BALANCES_TIMEOUT_MS);
      return await Promise.all([
        port.balances(addresses, signal),
        port.tokenBalances(addresses, token_address, signal),
      ]);
    } catch (error) {
      if (error instanceof KervanError) return [null, null] as const;
      throw error;
    }
  }

  /** From here on the session is drained. Stopping one that is being drained changes nothing. */
  async function stop(userId: string, chain: Chain): Promise<string> {
    const found = await findCurrentSession(db, userId, chain);
    if (!found) throw new KervanError('VOLUME_NOT_RUNNING');
    await change(async (trx) => {
      const session = await lockSession(trx, found.id);
      return isRunning(session) ? await beginDraining(trx, session, null, clock()) : session;
    });
    return found.id;
  }

  /** Looks again at the wallets of a session that has ended, and recovers what can be by now. */
  async function recover(owned: OwnedSession): Promise<string> {
    await change(async (trx) => {
      await lockUser(trx, owned.userId);
      const found = await findSession(trx, owned);
      if (!found) throw new KervanError('VOLUME_SESSION_NOT_FOUND');
      const session = await lockSession(trx, found.id);
      if (session.state !== 'ended' || (await findCurrentSession(trx, owned.userId, owned.chain)))
        throw new KervanError('VOLUME_ALREADY_RUNNING');
      // What is sent to a wallet whose key was deleted is lost.
      const master = { userId: owned.userId, chain: owned.chain, walletId: session.master_wallet_id };
      if (!session.is_master_pasted && !(await findMaster(trx, master, { isHeld: true })))
        throw new KervanError('VOLUME_MASTER_GONE');
      return await drainAgain(trx, session, clock());
    });
    return owned.sessionId;
  }

  async function change(apply: (trx: Transaction<Schema>) => Promise<VolumeSessionRow>): Promise<void> {
    const session = await db.transaction().execute(apply);
    notifier.emit(session.user_id, 'volume:updated', volumeUpdated(session));
    onMoved(session);
  }

  return { current, detail, page, activeWallets, stop, recover };
}
