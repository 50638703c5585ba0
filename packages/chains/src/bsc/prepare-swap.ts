import { KervanError, NATIVE } from '@kervan/contract';
import { formatUnits, minimumAfterSlippage, type AttemptPurpose } from '@kervan/domain';
import type { Address } from 'viem';
import type { PreparedTransaction, Quote, SwapRequest } from '../port.ts';
import { requireAddress } from './address.ts';
import { planApproval, refuseFailing } from './approval.ts';
import type { BscContracts } from './contracts.ts';
import type { DryRunner } from './dry-run.ts';
import type { GasPriceSource } from './gas-price.ts';
import { surveyMarket, type Price, type Purse, type Survey, type TrialOf } from './market-survey.ts';
import { priceImpactBps, probePools } from './price-impact.ts';
import type { ContractCall } from './rpc-calls.ts';
import type { RpcClient } from './rpc-client.ts';
import type { Simulator } from './simulate.ts';
import { readTokenInfo } from './token-info.ts';
import type { UnsignedTransaction } from './transaction.ts';
import { noDeadline, type Trade, type Venue } from './venue.ts';

export interface SwapDependencies {
  readonly chainId: number;
  readonly rpc: RpcClient;
  readonly contracts: BscContracts;
  readonly venues: { readonly v2: Venue; readonly v3: Venue };
  readonly dryRunner: DryRunner;
  readonly simulator: Simulator;
  readonly gasPrice: Pick<GasPriceSource, 'priceFor'>;
  /** How long after its preparation the router still takes a swap. */
  readonly deadlineSec: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * The tax lies outside the slippage that a person allowed: a minimum counts from what arrives. So it has a bound of
 * its own, above what honest tokens take.
 */
const mostTaxPercent = 25n;

/** Gas limit of a swap on a node that can't run it before its approval. */
export const usualSwapGas = 350_000n;

interface ReadRequest {
  readonly owner: Address;
  readonly trade: Trade;
  readonly venue: Venue;
}

function readRequest({ venues }: SwapDependencies, request: SwapRequest): ReadRequest {
  return {
    owner: requireAddress(request.owner, 'ADDRESS_INVALID'),
    trade: {
      action: request.action,
      token: requireAddress(request.tokenAddress, 'TOKEN_ADDRESS_INVALID'),
      amountIn: request.amountInUnits,
    },
    venue: venues[request.dexVersion ?? 'v2'],
  };
}

/** Prices a swap, less what the token keeps of it. Throws TOKEN_ADDRESS_INVALID, ROUTE_UNAVAILABLE or TAX_EXCESSIVE. */
export async function quoteSwap(
  dependencies: SwapDependencies,
  request: SwapRequest,
  signal?: AbortSignal,
): Promise<Quote> {
  const { owner, trade, venue } = readRequest(dependencies, request);
  const [survey, probes] = await Promise.all([
    surveyMarket(dependencies, owner, venue, trade, { signal }),
    probePools(dependencies, venue, trade, signal),
  ]);
  const price = acceptable(survey.price);
  const offer = { amountOut: price.outputUnits, feeTier: price.feeTier };
  return { ...quoteFrom(price, request), priceImpactBps: priceImpactBps(trade, offer, probes) };
}

/**
 * The next transaction that a swap needs, simulated as it will be sent: a sell's approval of exactly its amount
 * where the router may not take that much yet, else the swap. Once the token is known, a buy takes one round trip on V2
 * and two on V3, a sell two.
 *
 * Throws BALANCE_INSUFFICIENT, ROUTE_UNAVAILABLE, TAX_EXCESSIVE, SLIPPAGE_EXCEEDED, TRANSFER_FAILED,
 * SIMULATION_FAILED.
 */
export async function prepareSwap(
  dependencies: SwapDependencies,
  request: SwapRequest,
  signal?: AbortSignal,
  accountHeld?: Promise<void>,
): Promise<PreparedTransaction> {
  const { rpc, simulator } = dependencies;
  const { owner, trade, venue } = readRequest(dependencies, request);
  const { action, token } = trade;
  // All that a sell asks hangs on what the account holds.
  if (action === 'sell') await accountHeld;
  const kindOf = (feeTier: number) => `${action} ${venue.router} ${token} ${feeTier}`;
  const trialOf: TrialOf = ({ feeTier, amountOut }) => {
    // A sell's dry run gives the owner a contract's code, which a token may treat otherwise: it is always run again.
    if (action === 'sell') return undefined;
    const minimumOut = minimumAfterSlippage(amountOut, request.slippageBps);
    const swap = venue.swapCall({ ...trade, recipient: owner, feeTier, minimumOut, deadline: noDeadline });
    return simulator.trial(swap, owner, kindOf(feeTier));
  };
  const [survey, gasPrice] = await Promise.all([
    surveyMarket(dependencies, owner, venue, trade, { trialOf, signal, accountHeld }),
    dependencies.gasPrice.priceFor(request.gas ?? 'standard', signal),
  ]);
  await requireFunds(dependencies, trade, survey, signal);
  const price = acceptable(survey.price);
  const { feeTier, outputUnits } = price;
  const quote = quoteFrom(price, request);
  const minimumOut =
    venue.minimumIsOf === 'arrival'
      ? quote.minimumOutUnits
      : minimumAfterSlippage(outputUnits, request.slippageBps);
  const deadline = deadlineAfter(dependencies, survey);
  const swap = venue.swapCall({ ...trade, recipient: owner, feeTier, minimumOut, deadline });

  if (trade.action === 'sell' && survey.allowance < trade.amountIn) {
    const { allowance } = survey;
    const approval = { owner, token: trade.token, router: venue.router, amount: trade.amountIn, allowance };
    const { calls, gas } = await planApproval(simulator, approval, signal);
    const swapGas = await refuseFailing(rpc, owner, [...calls, swap], signal);
    const [call] = calls;
    // What the approvals after this one and the swap will need.
    const laterGas = gas * BigInt(calls.length - 1) + (swapGas ?? usualSwapGas);
    const plan = {
      purpose: 'approval',
      owner,
      purse: survey,
      gasPrice,
      call,
      gas,
      laterGas,
      quote: null,
    } as const;
    return prepared(dependencies, plan);
  }
  // With what arrived measured in the same moment, a run without a minimum proves as much as one with it.
  const gas = price.gasLimit ?? (await simulator.gasLimit(swap, owner, kindOf(feeTier), signal));
  const plan = {
    purpose: 'swap',
    owner,
    purse: survey,
    gasPrice,
    call: swap,
    gas,
    laterGas: 0n,
    quote,
  } as const;
  return prepared(dependencies, plan);
}

function acceptable(price: Price | undefined): Price {
  if (price === undefined) throw new KervanError('ROUTE_UNAVAILABLE');
  const { outputUnits, arrivingUnits } = price;
  const keptUnits = outputUnits - arrivingUnits;
  if (keptUnits * 100n > outputUnits * mostTaxPercent) {
    const taxPercent = Number((keptUnits * 10_000n + outputUnits / 2n) / outputUnits) / 100;
    throw new KervanError('TAX_EXCESSIVE', { taxPercent, maxPercent: Number(mostTaxPercent) });
  }
  return price;
}

function quoteFrom({ arrivingUnits }: Price, request: SwapRequest): Quote {
  return {
    amountInUnits: request.amountInUnits,
    expectedOutUnits: arrivingUnits,
    minimumOutUnits: minimumAfterSlippage(arrivingUnits, request.slippageBps),
    priceImpactBps: null,
  };
}

/** The later of both clocks counts: a fast local chain may run ahead, a halted one behind. */
function deadlineAfter({ now, deadlineSec }: SwapDependencies, survey: Survey): bigint {
  const nowSec = BigInt(Math.floor(now() / 1000));
  return (nowSec > survey.blockTimeSec ? nowSec : survey.blockTimeSec) + BigInt(deadlineSec);
}

async function requireFunds(
  { rpc, contracts }: SwapDependencies,
  trade: Trade,
  survey: Survey,
  signal?: AbortSignal,
): Promise<void> {
  if (trade.action === 'buy') {
    if (survey.nativeBalance < trade.amountIn) throw nativeShort(survey.nativeBalance, trade.amountIn);
    return;
  }
  if (survey.tokenBalance >= trade.amountIn) return;
  throw await tokenShort({ rpc, contracts }, trade.token, survey.tokenBalance, trade.amountIn, signal);
}

export async function tokenShort(
  chain: Pick<SwapDependencies, 'rpc' | 'contracts'>,
  token: Address,
  availableUnits: bigint,
  neededUnits: bigint,
  signal?: AbortSignal,
): Promise<KervanError> {
  const { symbol, decimals } = await readTokenInfo(chain, token, signal);
  return new KervanError('BALANCE_INSUFFICIENT', {
    available: formatUnits(availableUnits, decimals),
    needed: formatUnits(neededUnits, decimals),
    symbol,
  });
}

export function nativeShort(availableWei: bigint, neededWei: bigint): KervanError {
  const { symbol, decimals } = NATIVE.bsc;
  return new KervanError('BALANCE_INSUFFICIENT', {
    available: formatUnits(availableWei, decimals),
    needed: formatUnits(neededWei, decimals),
    symbol,
  });
}

export function prepared(
  { chainId }: Pick<SwapDependencies, 'chainId'>,
  plan: {
    readonly purpose: AttemptPurpose;
    readonly owner: Address;
    readonly purse: Purse;
    readonly gasPrice: bigint;
    readonly call: ContractCall;
    readonly gas: bigint;
    readonly laterGas: bigint;
    readonly quote: Quote | null;
  },
): PreparedTransaction {
  const { purpose, owner, purse, gasPrice, call, gas, laterGas, quote } = plan;
  const neededWei = call.value + gas * gasPrice;
  if (purse.nativeBalance < neededWei) throw nativeShort(purse.nativeBalance, neededWei);
  const unsigned: UnsignedTransaction = { ...call, chainId, nonce: purse.nonce, gasPrice, gas };
  return {
    purpose,
    owner,
    expiry: { kind: 'nonce', nonce: BigInt(purse.nonce) },
    gasPriceUnits: gasPrice,
    quote,
    feeUnits: (gas + laterGas) * gasPrice,
    rentUnits: 0n,
    tipUnits: 0n,
    unsigned,
  };
}
