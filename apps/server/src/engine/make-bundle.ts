import { KervanError } from '@kervan/contract';
import type { PreparedTransaction } from '@kervan/chains';
import type { Drive } from './drive-context.ts';
import { commitSigned, MAX_SWAP_ATTEMPTS, refuse, tryInTime, withAttempt } from './make-attempt.ts';
import { swapRequestOf } from './swap-request.ts';
import type { SignedAttempt, TradeWithAttempts } from './trade-store.ts';

/** What one step of a bundle's drive came to. */
export type BundleStep =
  /** What is left of it is driven on trade by trade. */
  | { readonly kind: 'taken apart' }
  /** `known`: how its trades stand now, where the step itself wrote it; otherwise they are to be read again. */
  | { readonly kind: 'goes on'; readonly known?: TradeWithAttempts[] };

type Leg = TradeWithAttempts;

/**
 * Prepares, simulates and signs the next transactions of a bundle's open trades, and commits them together. A trade
 * that the chain would refuse ends with its reason, and the others go on without it. Where nothing can be sent as a
 * bundle, or only one trade is left, it is taken apart. If none can be made any more, all of them end.
 */
export async function makeBundle(drive: Drive, bundleId: string, legs: readonly Leg[]): Promise<BundleStep> {
  const [first] = legs;
  if (!first) throw new Error('a bundle is made of trades');
  const { trade } = first;
  const rounds = Math.max(...legs.map(({ attempts }) => attempts.length));
  const expired = new KervanError(rounds > 0 ? 'BUNDLE_NOT_LANDED' : 'TRANSACTION_EXPIRED');
  if (rounds >= MAX_SWAP_ATTEMPTS) return await refuseAll(drive, legs, expired);

  const made = await tryInTime(drive, trade, async (timeout): Promise<BundleStep | KervanError> => {
    const port = drive.port(trade.chain, trade.network, trade.user_id);
    // Read while the chain is asked. Whatever goes wrong with one is met where it is used.
    const keys = Promise.all(legs.map((leg) => drive.readKey(leg.trade)));
    keys.catch(() => {});
    const requests = legs.map((leg) => swapRequestOf(leg.trade));
    const answers = legs.length > 1 ? await port.bundles?.prepare(requests, timeout) : undefined;
    if (!answers) {
      await drive.store.takeApart(legs.map((leg) => leg.trade.id));
      return { kind: 'taken apart' };
    }
    await drive.checkpoint('prepared', bundleId);
    const prepared = await sortOut(drive, legs, answers);
    if (!prepared) return { kind: 'goes on' };

    const signed = await Promise.all(
      prepared.map(async ({ leg, transaction }, index): Promise<SignedAttempt> => {
        const key = (await keys)[index];
        if (!key) throw new Error('every leg has its key');
        return {
          tradeId: leg.trade.id,
          number: leg.attempts.length + 1,
          prepared: transaction,
          signed: await key.use((secret) => port.sign(transaction, secret)),
        };
      }),
    );
    const committed = await commitSigned(drive, bundleId, signed, new Date());
    if (committed === 'halted') return new KervanError('TRADING_HALTED');
    const known = committed.map((attempt, index) => withAttempt(legs[index] ?? first, attempt));
    return { kind: 'goes on', known };
  });
  if (!(made instanceof KervanError)) return made;
  return await refuseAll(drive, legs, made.code === 'TRANSACTION_EXPIRED' ? expired : made);
}

interface PreparedLeg {
  readonly leg: Leg;
  readonly transaction: PreparedTransaction;
}

/** The legs with their transactions; undefined when some were refused and have ended, so that the rest is made anew. */
async function sortOut(
  drive: Drive,
  legs: readonly Leg[],
  answers: readonly (PreparedTransaction | KervanError)[],
): Promise<PreparedLeg[] | undefined> {
  const prepared: PreparedLeg[] = [];
  const refused: { leg: Leg; error: KervanError }[] = [];
  for (const [index, leg] of legs.entries()) {
    const answer = answers[index];
    if (!answer) throw new Error('every leg is answered');
    if (!(answer instanceof KervanError)) prepared.push({ leg, transaction: answer });
    // Says nothing of the leg.
    else if (answer.code === 'NETWORK_UNREACHABLE') throw answer;
    else refused.push({ leg, error: answer });
  }
  await Promise.all(refused.map(({ leg, error }) => refuse(drive, leg.trade, leg.attempts, error)));
  return refused.length === 0 ? prepared : undefined;
}

async function refuseAll(drive: Drive, legs: readonly Leg[], error: KervanError): Promise<BundleStep> {
  await Promise.all(legs.map((leg) => refuse(drive, leg.trade, leg.attempts, error)));
  return { kind: 'goes on' };
}
