import { KervanError, type TokenWarning } from '@kervan/contract';
import { size, type Address, type Hex } from 'viem';
import type { BscContracts } from './contracts.ts';
import { approveCall, balanceOfCall } from './erc20.ts';
import { aggregate, nativeBalanceCall, readAggregate, readUint, type CallResult } from './multicall.ts';
import { callOf, hexSchema, type ContractCall } from './rpc-calls.ts';
import type { RpcClient } from './rpc-client.ts';
import { bestOffer, type Offer, type Venue } from './venue.ts';

/** An account that nobody trades with, given Multicall3's code and BNB for the length of a call. */
const prober: Address = '0x00000000000000000000000000000000005ca1e6';
const sink: Address = '0x00000000000000000000000000000000005ca1e5';
const noDeadline = 2n ** 48n;
/** Small enough to leave most pools' prices alone, large enough that rounding is nothing. */
const stakeWei = 10n ** 15n;
/** Less is a matter of rounding and of the pool's own price. */
const leastTaxPercent = 0.1;
const graveTaxPercent = 10;

export interface ScreeningDependencies {
  readonly rpc: RpcClient;
  readonly contracts: BscContracts;
  readonly venues: { readonly v2: Venue; readonly v3: Venue };
}

/**
 * Buys a token and sells it again in `eth_call`s, which leave no trace: by an account that the call alone gives code and
 * BNB (geth's state overrides). What is missing against the pools' quotes is the token's tax. Throws TOKEN_NOT_FOUND
 * where there is no contract.
 */
export async function screenToken(
  dependencies: ScreeningDependencies,
  token: Address,
  signal?: AbortSignal,
): Promise<TokenWarning[]> {
  const { rpc, contracts } = dependencies;
  const [tokenCode, multicallCode] = await Promise.all(
    [token, contracts.multicall3].map(async (address) =>
      hexSchema.parse(await rpc.read({ method: 'eth_getCode', params: [address, 'latest'] }, signal)),
    ),
  );
  if (tokenCode === undefined || size(tokenCode) === 0) throw new KervanError('TOKEN_NOT_FOUND');
  if (token === contracts.wbnb || multicallCode === undefined) return [];
  const market = await findMarket(dependencies, token, signal);
  if (market === undefined) return [{ code: 'NO_MARKET', severity: 'warning', context: {} }];
  const run = (calls: readonly ContractCall[]) => simulate(dependencies, multicallCode, calls, signal);

  const held = balanceOfCall(token, prober);
  const buy = market.venue.swapCall({
    action: 'buy',
    token,
    amountIn: stakeWei,
    minimumOut: 0n,
    recipient: prober,
    deadline: noDeadline,
    feeTier: market.offer.feeTier,
    leavesChange: true,
  });
  const bought = await run([held, buy, held]);
  if (bought === undefined) return [{ code: 'NOT_SCREENED', severity: 'info', context: {} }];
  const arrived = difference(bought[0], bought[2]);
  if (!bought[1]?.success || arrived === undefined || arrived <= 0n)
    return [{ code: 'BUY_FAILS', severity: 'danger', context: {} }];

  const { venue } = market;
  const sale = { action: 'sell', token, amountIn: arrived } as const;
  const quotes = venue.priceCalls(sale);
  const received = nativeBalanceCall(contracts.multicall3, sink);
  // The same purchase once more, and then what it brought back: all in one call, as nothing stays of another.
  const results = await run([
    buy,
    ...quotes,
    approveCall(token, venue.router, arrived),
    received,
    venue.swapCall({
      ...sale,
      minimumOut: 0n,
      recipient: sink,
      deadline: noDeadline,
      feeTier: market.offer.feeTier,
      leavesChange: true,
    }),
    received,
  ]);
  const [sold, after] = results?.slice(-2) ?? [];
  const brought = difference(results?.at(-3), after);
  if (!sold?.success || brought === undefined || brought <= 0n)
    return [{ code: 'SELL_FAILS', severity: 'danger', context: {} }];
  const quoted = quoteOf(venue, results?.slice(1, 1 + quotes.length) ?? [], market.offer);
  return taxWarning(
    missingPercent(market.offer.amountOut, arrived),
    missingPercent(quoted ?? brought, brought),
  );
}

function taxWarning(buyPercent: number, sellPercent: number): TokenWarning[] {
  const worst = Math.max(buyPercent, sellPercent);
  if (worst < leastTaxPercent) return [];
  const severity = worst >= graveTaxPercent ? 'danger' : 'warning';
  return [{ code: 'TRANSFER_TAX', severity, context: { buyPercent, sellPercent } }];
}

/** Where the token is traded: V2 if a pair has it, whose router is the one that bears taxes, else V3. */
async function findMarket(
  { rpc, contracts, venues }: ScreeningDependencies,
  token: Address,
  signal: AbortSignal | undefined,
): Promise<{ venue: Venue; offer: Offer } | undefined> {
  const trade = { action: 'buy', token, amountIn: stakeWei } as const;
  for (const venue of [venues.v2, venues.v3]) {
    const answer = await rpc.read(callOf(aggregate(contracts.multicall3, venue.priceCalls(trade))), signal);
    const offer = bestOffer(venue.offers(readAggregate(hexSchema.parse(answer))));
    if (offer) return { venue, offer };
  }
  return undefined;
}

/** What the pool that was bought from quotes for the sale. */
function quoteOf(venue: Venue, results: readonly CallResult[], { feeTier }: Offer): bigint | undefined {
  const offer = bestOffer(venue.offers(results));
  return offer?.feeTier === feeTier ? offer.amountOut : undefined;
}

/** The calls one after another by the prober; undefined where the node does not know state overrides. */
async function simulate(
  { rpc, contracts }: ScreeningDependencies,
  code: Hex,
  calls: readonly ContractCall[],
  signal: AbortSignal | undefined,
): Promise<CallResult[] | undefined> {
  const all = { ...aggregate(contracts.multicall3, calls), to: prober };
  const overrides = { [prober]: { code, balance: 10n * stakeWei } };
  const [answer] = await rpc.readAll([callOf(all, { from: prober, overrides })], signal);
  if (!answer?.ok) return undefined;
  const data = hexSchema.parse(answer.result);
  return size(data) === 0 ? undefined : readAggregate(data);
}

function difference(before: CallResult | undefined, after: CallResult | undefined): bigint | undefined {
  const [start, end] = [readUint(before), readUint(after)];
  return start === undefined || end === undefined ? undefined : end - start;
}

/** How much of the expected did not come, in percent with two places; 0 if more came. */
function missingPercent(expected: bigint, came: bigint): number {
  if (came >= expected || expected === 0n) return 0;
  return Number(((expected - came) * 10_000n + expected / 2n) / expected) / 100;
}
