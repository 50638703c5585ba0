import { size, type Address, type Hex } from 'viem';
import type { BscContracts } from './contracts.ts';
import { approveCall, balanceOfCall } from './erc20.ts';
import { aggregate, nativeBalanceCall, readAggregate, readUint, type CallResult } from './multicall.ts';
import { callOf, codeOf, hexSchema, type ContractCall } from './rpc-calls.ts';
import type { RpcAnswer, RpcCall, RpcClient } from './rpc-client.ts';
import { noDeadline, type Trade, type Venue } from './venue.ts';

/** Any account that nobody trades with. */
const sink: Address = '0x00000000000000000000000000000000005ca1e5';

/** Measures what a trade brings by making it in an `eth_call`, which leaves no trace on the chain. */
export interface DryRunner {
  /** @param questions calls that are made before the swap, and change nothing */
  call(
    owner: Address,
    venue: Venue,
    trade: Trade & { readonly feeTier: number },
    questions: readonly ContractCall[],
    signal?: AbortSignal,
  ): Promise<RpcCall>;
  /** Undefined if the node can't run it, or the owner can't pay for it. */
  read(answer: RpcAnswer | undefined, questions: readonly ContractCall[]): DryRun | undefined;
}

export interface DryRun {
  /** What the questions were answered. */
  readonly answers: readonly CallResult[];
  /** What arrived of the swap, in base units; undefined if it failed. */
  readonly arrivedUnits: bigint | undefined;
}

/**
 * The swap without a minimum, between two looks at the balance it fills: exact for a token that taxes transfers,
 * whatever its rule, in the same round trip as the quote. A buy is made by Multicall3 with the owner's BNB and
 * pays the tokens to the owner. A sell has to come from the owner, so for that call the owner's account is given
 * Multicall3's code (geth's state override); it pays an empty account.
 */
export function createDryRunner(dependencies: {
  readonly rpc: RpcClient;
  readonly contracts: BscContracts;
}): DryRunner {
  const { rpc, contracts } = dependencies;
  const { multicall3 } = contracts;
  let multicallCode: Hex | undefined;

  async function readMulticallCode(signal?: AbortSignal): Promise<Hex> {
    const answer = await rpc.read(codeOf(multicall3), signal);
    return hexSchema.parse(answer);
  }

  function measured(
    questions: readonly ContractCall[],
    probe: ContractCall,
    steps: readonly ContractCall[],
  ): ContractCall {
    return aggregate(multicall3, [...questions, probe, ...steps, probe]);
  }

  return {
    async call(owner, venue, trade, questions, signal) {
      const order = { ...trade, minimumOut: 0n, deadline: noDeadline, leavesChange: true };
      if (trade.action === 'buy') {
        const swap = venue.swapCall({ ...order, recipient: owner });
        return callOf(measured(questions, balanceOfCall(trade.token, owner), [swap]), { from: owner });
      }
      multicallCode ??= await readMulticallCode(signal);
      const swap = venue.swapCall({ ...order, recipient: sink });
      const approve = approveCall(trade.token, venue.router, trade.amountIn);
      const steps = measured(questions, nativeBalanceCall(multicall3, sink), [approve, swap]);
      return callOf(
        { ...steps, to: owner },
        { from: owner, overrides: { [owner]: { code: multicallCode } } },
      );
    },
    read(answer, questions) {
      if (!answer?.ok) return undefined;
      const data = hexSchema.parse(answer.result);
      // Without the override the owner's account has no code and returns nothing.
      if (size(data) === 0) return undefined;
      const results = readAggregate(data);
      const [first, swap, last] = [results[questions.length], results.at(-2), results.at(-1)];
      const [start, end] = [readUint(first), readUint(last)];
      const isMeasured = swap?.success === true && start !== undefined && end !== undefined;
      return {
        answers: results.slice(0, questions.length),
        arrivedUnits: isMeasured ? end - start : undefined,
      };
    },
  };
}
