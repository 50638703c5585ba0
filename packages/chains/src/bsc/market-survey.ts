import type { Address } from 'viem';
import type { BscContracts } from './contracts.ts';
import type { DryRunner } from './dry-run.ts';
import { allowanceCall, balanceOfCall } from './erc20.ts';
import { aggregate, blockTimeCall, nativeBalanceCall, readAggregate, readUint } from './multicall.ts';
import { callOf, hexSchema, quantitySchema, transactionCountOf } from './rpc-calls.ts';
import { requireResult, type RpcAnswer, type RpcClient } from './rpc-client.ts';
import { bestOffer, type Offer, type Trade, type Venue } from './venue.ts';

export interface Price {
  readonly feeTier: number;
  /** What the pool quotes. */
  readonly outputUnits: bigint;
  /** What arrives of it: less where the token taxes transfers. As quoted where that could not be tried. */
  readonly arrivingUnits: bigint;
}

/** What has to be known before a swap is built, of one moment on the chain. */
export interface Survey {
  /** Unix time of the newest block, in seconds. */
  readonly blockTimeSec: bigint;
  readonly nativeBalance: bigint;
  readonly tokenBalance: bigint;
  /** How much of the token the venue's router may take. */
  readonly allowance: bigint;
  /** Transactions of the owner that are mined or wait in the node's pool. */
  readonly nonce: number;
  /** The best offer; undefined without a pool that trades the whole amount. */
  readonly price: Price | undefined;
}

/** Takes a survey in one round trip; a buy that has several routes is tried in the best one in a second. */
export async function surveyMarket(
  dependencies: { readonly rpc: RpcClient; readonly contracts: BscContracts; readonly dryRunner: DryRunner },
  owner: Address,
  venue: Venue,
  trade: Trade,
  signal?: AbortSignal,
): Promise<Survey> {
  const { rpc, contracts, dryRunner } = dependencies;
  const { multicall3 } = contracts;
  const facts = aggregate(multicall3, [
    blockTimeCall(multicall3),
    nativeBalanceCall(multicall3, owner),
    balanceOfCall(trade.token, owner),
    allowanceCall(trade.token, owner, venue.router),
    ...venue.priceCalls(trade),
  ]);
  // Counted without what is pending: none of that is ours (the executor drives one trade of an account at a time),
  // and on top of somebody else's transaction that never gets mined, ours would wait for ever.
  const calls = [callOf(facts), transactionCountOf(owner, 'latest')];
  if (venue.hasOneRoute) calls.push(await dryRunner.call(owner, venue, { ...trade, feeTier: 0 }, signal));
  const [factsAnswer, nonceAnswer, onlyRoute] = await rpc.readAll(calls, signal);
  const [time, native, token, allowance, ...prices] = readAggregate(
    hexSchema.parse(requireResult(factsAnswer)),
  );
  const offer = bestOffer(venue.offers(prices));
  const dryRun = onlyRoute ?? (offer && (await tryRoute(offer)));
  return {
    blockTimeSec: readUint(time) ?? 0n,
    nativeBalance: readUint(native) ?? 0n,
    tokenBalance: readUint(token) ?? 0n,
    allowance: readUint(allowance) ?? 0n,
    nonce: Number(quantitySchema.parse(requireResult(nonceAnswer))),
    price: offer && {
      feeTier: offer.feeTier,
      outputUnits: offer.amountOut,
      arrivingUnits: dryRunner.read(dryRun) ?? offer.amountOut,
    },
  };

  /** A sell need not be tried: a pool that is given less than the amount, for a tax, refuses it. */
  async function tryRoute({ feeTier }: Offer): Promise<RpcAnswer | undefined> {
    if (trade.action === 'sell') return undefined;
    const [answer] = await rpc.readAll(
      [await dryRunner.call(owner, venue, { ...trade, feeTier }, signal)],
      signal,
    );
    return answer;
  }
}
