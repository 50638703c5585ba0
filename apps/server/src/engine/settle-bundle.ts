import type { ChainPort, LandedOutcome, Outcome } from '@kervan/chains';
import type { AttemptRow, TradeRow } from '@kervan/database';
import { attemptRef, endTrade, type Drive } from './drive-context.ts';
import type { BundleStep } from './make-bundle.ts';
import { deadFate, firstOf, ignoreUnreachable, landedEnd } from './settle-attempts.ts';
import type { TradeWithAttempts } from './trade-store.ts';

/** A trade with its one live attempt. */
interface LiveLeg {
  readonly trade: TradeRow;
  readonly attempt: AttemptRow;
}

type Decided = LandedOutcome | Extract<Outcome, { kind: 'dead' }>;

/**
 * Sends what is committed, as a bundle, until the chain says of each transaction what became of it, and writes that
 * down: the trades whose transactions landed end, the others go back to planned together.
 */
export async function settleBundle(
  drive: Drive,
  bundleId: string,
  legs: readonly TradeWithAttempts[],
): Promise<BundleStep> {
  const live = legs.flatMap(({ trade, attempts }): LiveLeg[] => {
    const attempt = attempts.find(({ state }) => state === 'live');
    return attempt ? [{ trade, attempt }] : [];
  });
  const [first] = live;
  if (!first) throw new Error('there is nothing to settle without a live attempt');
  const port = drive.port(first.trade.chain, first.trade.network, first.trade.user_id);

  const isAllOwn = live.every(({ attempt }) => drive.own.has(attempt.id));
  const known = isAllOwn ? undefined : await askAll(drive, port, live);
  const outcomes =
    known ?? (await sendAndWait(drive, port, bundleId, live, sentTogether(legs, first.attempt)));
  await drive.checkpoint('outcome known', bundleId);
  await conclude(drive, live, outcomes);
  return { kind: 'goes on' };
}

/**
 * The transactions that make up the bundle; undefined once one of them is decided. What is left could only land
 * without it then, and is not sent any more.
 */
function sentTogether(
  legs: readonly TradeWithAttempts[],
  { number }: AttemptRow,
): readonly AttemptRow[] | undefined {
  const round = legs.flatMap(({ attempts }) => attempts.filter((attempt) => attempt.number === number));
  return round.every(({ state }) => state === 'live') ? round : undefined;
}

/** Every live attempt's outcome, or undefined while one of them may still land. */
async function askAll(
  drive: Drive,
  port: ChainPort,
  live: readonly LiveLeg[],
): Promise<Decided[] | undefined> {
  return allDecided(
    await Promise.all(
      live.map(({ trade, attempt }) => port.outcome(attemptRef(trade, attempt), drive.signal)),
    ),
  );
}

function allDecided(outcomes: readonly Outcome[]): Decided[] | undefined {
  const decided = outcomes.filter((outcome) => outcome.kind !== 'pending');
  return decided.length === outcomes.length ? decided : undefined;
}

async function sendAndWait(
  drive: Drive,
  port: ChainPort,
  bundleId: string,
  live: readonly LiveLeg[],
  together: readonly AttemptRow[] | undefined,
): Promise<Decided[]> {
  const { signal, timing } = drive;
  const watching = new AbortController();
  const stop = AbortSignal.any([signal, watching.signal]);
  let watches: Promise<Outcome[]> | undefined;
  try {
    for (;;) {
      if (together) await send(drive, port, bundleId, together);
      watches ??= Promise.all(live.map(({ trade, attempt }) => port.watch(attemptRef(trade, attempt), stop)));
      const outcomes = await firstOf([watches], timing.rebroadcastMs, stop);
      signal.throwIfAborted();
      const decided = outcomes && allDecided(outcomes);
      if (decided) return decided;
      const tradeIds = live.map(({ trade }) => trade.id);
      if (drive.sentAt) await drive.store.markSent(tradeIds, drive.sentAt);
    }
  } finally {
    watching.abort();
  }
}

/** Sends the bundle; a failure or refusal proves nothing, so it only means to go on watching. */
async function send(
  drive: Drive,
  port: ChainPort,
  bundleId: string,
  together: readonly AttemptRow[],
): Promise<void> {
  await port.bundles
    ?.broadcast(
      together.map(({ bytes }) => bytes),
      drive.signal,
    )
    .catch(ignoreUnreachable);
  drive.signal.throwIfAborted();
  drive.sentAt ??= new Date();
  await drive.checkpoint('broadcast', bundleId);
}

async function conclude(drive: Drive, live: readonly LiveLeg[], outcomes: readonly Decided[]): Promise<void> {
  const dead: LiveLeg[] = [];
  const ends: Promise<unknown>[] = [];
  for (const [index, leg] of live.entries()) {
    const outcome = outcomes[index];
    if (!outcome) throw new Error('every leg is decided');
    if (outcome.kind === 'dead') dead.push(leg);
    else ends.push(end(drive, leg, outcome));
  }
  await Promise.all(ends);
  if (dead.length === 0) return;
  await drive.store.replan(
    dead.map(({ trade }) => trade.id),
    dead.map(({ attempt }) => deadFate(attempt)),
  );
}

async function end(drive: Drive, { trade, attempt }: LiveLeg, outcome: LandedOutcome): Promise<void> {
  const fate = { attemptId: attempt.id, state: 'landed', settlement: outcome.settlement } as const;
  await endTrade(drive, trade, [fate], landedEnd(attempt, outcome));
}
