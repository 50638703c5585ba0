import { KervanError } from '@kervan/contract';
import type { Address } from 'viem';
import { simulationFailure, isRevert } from './failures.ts';
import { callOf, estimateGasOf, quantitySchema, type ContractCall } from './rpc-calls.ts';
import { requireResult, type RpcCall, type RpcClient } from './rpc-client.ts';

/** Runs a call as it would be sent and says the gas limit to send it with. */
export interface Simulator {
  /**
   * Throws what the chain would fail with (SLIPPAGE_EXCEEDED, TRANSFER_FAILED, SIMULATION_FAILED, ...).
   * `kind` names calls that cost about the same gas.
   */
  gasLimit(call: ContractCall, owner: Address, kind: string, signal?: AbortSignal): Promise<bigint>;
  /** The run of a kind met before, to be asked along with other questions. */
  trial(call: ContractCall, owner: Address, kind: string): Trial | undefined;
}

/** A call to be run once, and the gas limit to send it with if the run succeeds. */
export interface Trial {
  readonly call: RpcCall;
  readonly gasLimit: bigint;
}

/** Of the estimate: what a remembered call is run with, and what it is sent with, so that there is always room between. */
const runPercent = 110n;
const sendPercent = 130n;
/**
 * In the first trade of a later second a pool also writes its price accumulators (V2) or an observation (V3), which
 * a simulation in the second of its last trade does not see: two storage slots, new ones at worst (EIP-2929).
 */
const laterSecondGas = 45_000n;
/** A swap takes 100,000 to 500,000; a token that wants ten times as much spends it for its author. */
const mostGas = 3_000_000n;
const kindsKept = 1_000;

/**
 * An estimate makes the node run a call many times to find its limit. So an estimate is remembered for its kind,
 * and the next call of that kind is run once, with little more than that gas; only if this fails is it estimated.
 */
export function createSimulator(rpc: RpcClient): Simulator {
  const estimates = new Map<string, bigint>();

  function trial(call: ContractCall, owner: Address, kind: string): Trial | undefined {
    const known = estimates.get(kind);
    if (known === undefined) return undefined;
    const gas = (known * runPercent) / 100n;
    return { call: callOf(call, { from: owner, gas }), gasLimit: limitFor(known) };
  }

  return {
    trial,
    async gasLimit(call, owner, kind, signal) {
      const known = trial(call, owner, kind);
      if (known !== undefined) {
        const [ran] = await rpc.readAll([known.call], signal);
        if (ran?.ok) return known.gasLimit;
      }
      const [answer] = await rpc.readAll([estimateGasOf(call, owner)], signal);
      if (answer?.ok === false && isRevert(answer.error)) {
        const { code, context } = simulationFailure(answer.error);
        throw new KervanError(code, context);
      }
      const estimate = quantitySchema.parse(requireResult(answer));
      const limit = limitFor(estimate);
      if (limit > mostGas) {
        const reason = `it needs up to ${limit} gas, more than the ${mostGas} allowed`;
        throw new KervanError('SIMULATION_FAILED', { reason });
      }
      const [oldest] = estimates.keys();
      if (oldest !== undefined && estimates.size >= kindsKept) estimates.delete(oldest);
      estimates.set(kind, estimate);
      return limit;
    },
  };
}

/** The gas limit for a call that was seen to use so much. */
export function limitFor(estimate: bigint): bigint {
  return (estimate * sendPercent) / 100n + laterSecondGas;
}
