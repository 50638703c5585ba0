import type { Address } from 'viem';
import type { BscContracts } from './contracts.ts';
import type { DryRunner } from './dry-run.ts';
import { allowanceCall, balanceOfCall } from './erc20.ts';
import { aggregate, blockTimeCall, nativeBalanceCall, readAggregate, readUint } from './multicall.ts';
import { callOf, hexSchema, quantitySchema, transactionCountOf } from './rpc-calls.ts';
import { requireResult, type RpcClient } from './rpc-client.ts';
import type { Trade, Venue } from './venue.ts';

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
  /** The best offer and what of it arrives, less where the token taxes transfers; undefined without a pool. */
  readonly price: { readonly feeTier: number; readonly expectedOut: bigint } | undefined;
}

/** Takes a survey in one round trip. */
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
  if (venue.hasOneRoute) calls.push(await dryRunner.call(owner, venue, trade, signal));
  const [factsAnswer, nonceAnswer, dryRunAnswer] = await rpc.readAll(calls, signal);
  const [time, native, token, allowance, ...prices] = readAggregate(
    hexSchema.parse(requireResult(factsAnswer)),
  );
  const offer = venue.bestOffer(prices);
  return {
    blockTimeSec: readUint(time) ?? 0n,
    nativeBalance: readUint(native) ?? 0n,
    tokenBalance: readUint(token) ?? 0n,
    allowance: readUint(allowance) ?? 0n,
    nonce: Number(quantitySchema.parse(requireResult(nonceAnswer))),
    price: offer && {
      feeTier: offer.feeTier,
      expectedOut: dryRunner.read(dryRunAnswer) ?? offer.amountOut,
    },
  };
}
