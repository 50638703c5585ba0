import type { Address } from 'viem';
import type { BscContracts } from './contracts.ts';
import type { DryRunner } from './dry-run.ts';
import { allowanceCall, balanceOfCall } from './erc20.ts';
import { aggregate, blockTimeCall, nativeBalanceCall, readAggregate, readUint } from './multicall.ts';
import { callOf, hexSchema, quantitySchema, transactionCountOf } from './rpc-calls.ts';
import { requireResult, type RpcAnswer, type RpcCall, type RpcClient } from './rpc-client.ts';
import type { Trial } from './simulate.ts';
import { bestOffer, type Offer, type Trade, type Venue } from './venue.ts';

export interface Price {
  readonly feeTier: number;
  /** What the pool quotes. */
  readonly outputUnits: bigint;
  /** What arrives of it: less where the token taxes transfers. As quoted where that could not be tried. */
  readonly arrivingUnits: bigint;
  /** Where the owner's own swap was run too and went through, with its arrival measured. */
  readonly gasLimit: bigint | undefined;
}

/** What has to be known before a swap is built, of one moment on the chain. */
export interface Survey {
  /** Unix time of the newest block, in seconds. */
  readonly blockTimeSec: bigint;
  readonly nativeBalance: bigint;
  /** Of the token, and how much of it the venue's router may take. A buy needs neither: 0. */
  readonly tokenBalance: bigint;
  readonly allowance: bigint;
  /** Transactions of the owner that are mined or wait in the node's pool. */
  readonly nonce: number;
  /** The best offer; undefined without a pool that trades the whole amount. */
  readonly price: Price | undefined;
}

/** The owner's own swap for an offer, to be run along with the survey; an offer of 0 is one not known yet. */
export type TrialOf = (offer: Offer) => Trial | undefined;

const unknownOffer: Offer = { amountOut: 0n, feeTier: 0 };

/** Takes a survey in one round trip; a buy that has several routes is tried in the best one in a second. */
export async function surveyMarket(
  dependencies: { readonly rpc: RpcClient; readonly contracts: BscContracts; readonly dryRunner: DryRunner },
  owner: Address,
  venue: Venue,
  trade: Trade,
  options: { readonly trialOf?: TrialOf; readonly signal?: AbortSignal | undefined } = {},
): Promise<Survey> {
  const { rpc, contracts, dryRunner } = dependencies;
  const { trialOf, signal } = options;
  const { multicall3 } = contracts;
  const holdings =
    trade.action === 'sell'
      ? [balanceOfCall(trade.token, owner), allowanceCall(trade.token, owner, venue.router)]
      : [];
  const facts = aggregate(multicall3, [
    blockTimeCall(multicall3),
    nativeBalanceCall(multicall3, owner),
    ...holdings,
    ...venue.priceCalls(trade),
  ]);
  const onlyRoute = venue.hasOneRoute ? await triesOf(unknownOffer) : undefined;
  // Counted without what is pending: none of that is ours (the executor drives one trade of an account at a time),
  // and on top of somebody else's transaction that never gets mined, ours would wait for ever.
  const calls = [callOf(facts), transactionCountOf(owner, 'latest'), ...(onlyRoute?.calls ?? [])];
  const [factsAnswer, nonceAnswer, ...tried] = await rpc.readAll(calls, signal);
  const [time, native, ...others] = readAggregate(hexSchema.parse(requireResult(factsAnswer)));
  const [token, allowance] = others.slice(0, holdings.length);
  const offer = bestOffer(venue.offers(others.slice(holdings.length)));
  return {
    blockTimeSec: readUint(time) ?? 0n,
    nativeBalance: readUint(native) ?? 0n,
    tokenBalance: readUint(token) ?? 0n,
    allowance: readUint(allowance) ?? 0n,
    nonce: Number(quantitySchema.parse(requireResult(nonceAnswer))),
    price: offer && {
      feeTier: offer.feeTier,
      outputUnits: offer.amountOut,
      ...(onlyRoute ? readTries(offer, onlyRoute, tried) : await tryRoute(offer)),
    },
  };

  async function triesOf(offer: Offer): Promise<Tries> {
    const dryRun = await dryRunner.call(owner, venue, { ...trade, feeTier: offer.feeTier }, signal);
    const trial = trialOf?.(offer);
    return { calls: trial ? [dryRun, trial.call] : [dryRun], trial };
  }

  function readTries({ amountOut }: Offer, { trial }: Tries, [dryRun, ran]: readonly RpcAnswer[]) {
    const measuredUnits = dryRunner.read(dryRun);
    const isProven = measuredUnits !== undefined && ran?.ok === true;
    return { arrivingUnits: measuredUnits ?? amountOut, gasLimit: isProven ? trial?.gasLimit : undefined };
  }

  /** A sell need not be tried: a pool that is given less than the amount, for a tax, refuses it. */
  async function tryRoute(offer: Offer) {
    if (trade.action === 'sell') return { arrivingUnits: offer.amountOut, gasLimit: undefined };
    const tries = await triesOf(offer);
    return readTries(offer, tries, await rpc.readAll(tries.calls, signal));
  }
}

/** What is run to see what a route brings: the dry run, and perhaps the owner's own swap. */
interface Tries {
  readonly calls: readonly RpcCall[];
  readonly trial: Trial | undefined;
}
