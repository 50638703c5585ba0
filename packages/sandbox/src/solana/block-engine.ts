import { createHash } from 'node:crypto';
import { address } from '@solana/kit';
import type { WeatherStation } from '../weather.ts';
import type { Chain } from './chain.ts';
import { configParam, listParam, textParam, transactionParam } from './rpc/params.ts';
import { LostAnswer, withContext, type RpcMethods } from './rpc/rpc-context.ts';
import { invalidParams } from './rpc/rpc-error.ts';
import { blockhashWindow } from './slot-clock.ts';
import { tipAccounts } from './tip-accounts.ts';
import { isWritableStatic, type WireTransaction } from './wire-transaction.ts';

const maxLegs = 5;
const minimumTip = 1000n;
/** Five minutes of slots: how far back in-flight statuses go. */
const statusSlots = 750;
const systemTransfer = 2;
const systemProgram = address('11111111111111111111111111111111');
const isTipAccount = new Set<string>(tipAccounts);

interface Bundle {
  signatures: string[];
  slot: number;
  status: 'Landed' | 'Failed' | 'Dropped';
}

/**
 * Jito's block engine (docs.jito.wtf, "Low Latency Transaction Send"): up to five transactions that land
 * in order in one slot or not at all. A bundle without a tip of 1,000 lamports to a tip account is refused.
 */
export function blockEngineMethods({
  chain,
  weather,
}: {
  chain: Chain;
  weather: WeatherStation;
}): RpcMethods {
  const { clock, history } = chain;
  const bundles = new Map<string, Bundle>();

  chain.onSlot((slot) => {
    for (const [id, bundle] of bundles) {
      if (bundle.slot >= slot - statusSlots) break;
      bundles.delete(id);
    }
  });

  function land(legs: readonly WireTransaction[]): boolean {
    const failing = weather.current().failBundleLeg;
    if (failing !== null && failing < legs.length) return false;
    return chain.submitTogether(legs);
  }

  /** The slot in which all of these succeeded together. */
  function commonSlot(signatures: readonly string[]): number | undefined {
    const found = signatures.map((signature) => history.status(signature));
    const slot = found[0]?.slot;
    return found.every((each) => each?.error === null && each.slot === slot) ? slot : undefined;
  }

  function inflightStatus({ status, slot }: Bundle): 'Landed' | 'Failed' | 'Pending' {
    if (status !== 'Dropped') return status;
    return clock.slot > slot + blockhashWindow ? 'Failed' : 'Pending';
  }

  return {
    getTipAccounts: () => tipAccounts,
    async sendBundle([transactions, config]) {
      const encoding = configParam(config)['encoding'];
      const given = listParam(transactions, maxLegs);
      if (given.length === 0) throw invalidParams('bundle must contain at least one transaction');
      const legs = given.map((each) => transactionParam(each, encoding));
      requireTip(legs);
      const signatures = legs.map((leg) => leg.signature);
      const id = createHash('sha256').update(signatures.join(',')).digest('hex');
      // Sending the same bundle again changes nothing about one that has landed, in this process or before.
      const landedIn = commonSlot(signatures);
      if (landedIn !== undefined) {
        bundles.set(id, { signatures, slot: landedIn, status: 'Landed' });
        return id;
      }
      const fate = weather.drawSendFate();
      const status = fate === 'drop' ? 'Dropped' : land(legs) ? 'Landed' : 'Failed';
      bundles.set(id, { signatures, slot: clock.slot, status });
      if (fate === 'lose-answer') {
        await chain.durable();
        throw new LostAnswer();
      }
      return id;
    },
    getInflightBundleStatuses: ([ids]) =>
      withContext(
        chain,
        listParam(ids, maxLegs).map((id) => {
          const bundleId = textParam(id, 'bundle id');
          const bundle = bundles.get(bundleId);
          if (!bundle) return { bundle_id: bundleId, status: 'Invalid', landed_slot: null };
          const status = inflightStatus(bundle);
          return { bundle_id: bundleId, status, landed_slot: status === 'Landed' ? bundle.slot : null };
        }),
      ),
    getBundleStatuses: ([ids]) =>
      withContext(
        chain,
        listParam(ids, maxLegs).map((id) => {
          const bundleId = textParam(id, 'bundle id');
          const bundle = bundles.get(bundleId);
          const landed =
            bundle?.signatures[0] === undefined ? undefined : history.status(bundle.signatures[0]);
          if (!bundle || bundle.status !== 'Landed' || !landed) return null;
          return {
            bundle_id: bundleId,
            transactions: bundle.signatures,
            slot: landed.slot,
            confirmation_status: clock.commitmentOf(landed.slot),
            err: { Ok: null },
          };
        }),
      ),
  };
}

/** The tip accounts count only among a transaction's static keys, never through a lookup table. */
function requireTip(legs: readonly WireTransaction[]): void {
  const locksTipAccount = legs.some(({ message }) =>
    message.staticAccounts.some((key, index) => isTipAccount.has(key) && isWritableStatic(message, index)),
  );
  if (!locksTipAccount) {
    throw invalidParams('Bundles must write lock at least one tip account to be eligible for the auction.');
  }
  const tip = legs.reduce((sum, leg) => sum + tipOf(leg), 0n);
  if (tip < minimumTip) {
    throw invalidParams(
      `Bundle must tip at least ${minimumTip} lamports to one of the tip accounts, found ${tip}.`,
    );
  }
}

/** Lamports that System transfers of this transaction bring to tip accounts. */
function tipOf({ message }: WireTransaction): bigint {
  let tip = 0n;
  for (const { programIdIndex, accounts, data } of message.instructions) {
    const destination = message.staticAccounts[accounts[1] ?? -1];
    if (message.staticAccounts[programIdIndex] !== systemProgram || data.length < 12) continue;
    const bytes = Buffer.from(data);
    if (bytes.readUInt32LE(0) !== systemTransfer || destination === undefined) continue;
    if (isTipAccount.has(destination)) tip += bytes.readBigUInt64LE(4);
  }
  return tip;
}
