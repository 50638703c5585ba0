import type { Address } from 'viem';
import type { BscContracts } from './contracts.ts';
import type { DryRun, DryRunner } from './dry-run.ts';
import { allowanceCall, balanceOfCall } from './erc20.ts';
import { aggregate, blockTimeCall, readAggregate, readUint, type CallResult } from './multicall.ts';
import {
  balanceOf,
  callOf,
  hexSchema,
  quantitySchema,
  transactionCountOf,
  type ContractCall,
} from './rpc-calls.ts';
import { requireResult, type RpcClient } from './rpc-client.ts';
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

/** What an account pays with. */
export interface Purse {
  readonly nativeBalance: bigint;
  /** Transactions of the owner that are mined. */
  readonly nonce: number;
}

/** What has to be known before a swap is built. */
export interface Survey extends Purse {
  /** Unix time of the newest block, in seconds. */
  readonly blockTimeSec: bigint;
  /** Of the token, and how much of it the venue's router may take. A buy needs neither: 0. */
  readonly tokenBalance: bigint;
  readonly allowance: bigint;
  /** The best offer; undefined without a pool that trades the whole amount. */
  readonly price: Price | undefined;
}

/** The owner's own swap for an offer, to be run along with the survey; an offer of 0 is one not known yet. */
export type TrialOf = (offer: Offer) => Trial | undefined;

const unknownOffer: Offer = { amountOut: 0n, feeTier: 0 };

/**
 * Takes a survey in one round trip; a buy that has several routes is tried in the best one in a second. With
 * `accountHeld`, native balance and nonce are asked for when that resolves.
 */
export async function surveyMarket(
  dependencies: { readonly rpc: RpcClient; readonly contracts: BscContracts; readonly dryRunner: DryRunner },
  owner: Address,
  venue: Venue,
  trade: Trade,
  options: {
    readonly trialOf?: TrialOf;
    readonly signal?: AbortSignal | undefined;
    readonly accountHeld?: Promise<void> | undefined;
  } = {},
): Promise<Survey> {
  const { rpc, contracts, dryRunner } = dependencies;
  const { trialOf, signal, accountHeld } = options;
  const { multicall3 } = contracts;
  const holdings =
    trade.action === 'sell'
      ? [balanceOfCall(trade.token, owner), allowanceCall(trade.token, owner, venue.router)]
      : [];
  const questions = [blockTimeCall(multicall3), ...holdings, ...venue.priceCalls(trade)];
  const [purse, { answers, tried }] = await Promise.all([
    // Without anything to wait for, both go to the node in one request.
    accountHeld ? accountHeld.then(readPurse) : readPurse(),
    venue.hasOneRoute ? askAndTry() : ask(),
  ]);
  const [time, ...others] = answers;
  const [token, allowance] = others.slice(0, holdings.length);
  const offer = bestOffer(venue.offers(others.slice(holdings.length)));
  return {
    ...purse,
    blockTimeSec: readUint(time) ?? 0n,
    tokenBalance: readUint(token) ?? 0n,
    allowance: readUint(allowance) ?? 0n,
    price: offer && {
      feeTier: offer.feeTier,
      outputUnits: offer.amountOut,
      ...arrivalOf(offer, tried ?? (await tryRoute(offer))),
    },
  };

  async function readPurse(): Promise<Purse> {
    // Counted without what is pending: none of that is ours (the executor drives one trade of an account at a time),
    // and on top of somebody else's transaction that never gets mined, ours would wait for ever.
    const calls = [balanceOf(owner), transactionCountOf(owner, 'latest')];
    const [balance, count] = await rpc.readAll(calls, signal);
    return {
      nativeBalance: quantitySchema.parse(requireResult(balance)),
      nonce: Number(quantitySchema.parse(requireResult(count))),
    };
  }

  async function ask(): Promise<{ answers: readonly CallResult[]; tried?: Tried }> {
    const [answer] = await rpc.readAll([callOf(aggregate(multicall3, questions))], signal);
    return { answers: readAggregate(hexSchema.parse(requireResult(answer))) };
  }

  /** Asks in the same call in which the only route is tried, and alone only where that can't be run. */
  async function askAndTry(): Promise<{ answers: readonly CallResult[]; tried: Tried }> {
    const tried = await tryOut(unknownOffer, questions);
    const { answers } = tried.dryRun ?? (await ask());
    return { answers, tried };
  }

  async function tryOut(offer: Offer, first: readonly ContractCall[] = []): Promise<Tried> {
    const order = { ...trade, feeTier: offer.feeTier };
    const dryRun = await dryRunner.call(owner, venue, order, first, signal);
    const trial = trialOf?.(offer);
    const [dryAnswer, ran] = await rpc.readAll(trial ? [dryRun, trial.call] : [dryRun], signal);
    return { dryRun: dryRunner.read(dryAnswer, first), gasLimit: ran?.ok ? trial?.gasLimit : undefined };
  }

  /** A sell need not be tried: a pool that is given less than the amount, for a tax, refuses it. */
  async function tryRoute(offer: Offer): Promise<Tried | undefined> {
    return trade.action === 'sell' ? undefined : await tryOut(offer);
  }
}

function arrivalOf({ amountOut }: Offer, tried: Tried | undefined) {
  const arrivedUnits = tried?.dryRun?.arrivedUnits;
  return {
    arrivingUnits: arrivedUnits ?? amountOut,
    gasLimit: arrivedUnits === undefined ? undefined : tried?.gasLimit,
  };
}

/** What came of running a route: its dry run, and the gas limit of the owner's own swap if that went through. */
interface Tried {
  readonly dryRun: DryRun | undefined;
  readonly gasLimit: bigint | undefined;
}
