import { KervanError } from '@kervan/contract';
import { numberToHex, type Address } from 'viem';
import { z } from 'zod';
import { approveCall } from './erc20.ts';
import { simulationFailure } from './failures.ts';
import { hexSchema, listSchema, quantitySchema, type ContractCall } from './rpc-calls.ts';
import type { RpcClient } from './rpc-client.ts';
import { limitFor, type Simulator } from './simulate.ts';

/** `eth_simulateV1`: blocks of calls, each with what it returned or reverted with. */
const simulatedCalls = listSchema(
  z.object({
    calls: listSchema(
      z.object({
        returnData: hexSchema,
        gasUsed: quantitySchema.optional(),
        error: z.object({ code: z.number(), message: z.string() }).optional(),
      }),
    ),
  }),
  1,
).transform(([block]) => block?.calls ?? []);

/**
 * The approvals still needed for exactly `amount`, and the gas limit of the first. Some tokens take a new allowance only after the old one
 * is back at zero (as USDT on Ethereum): then the first is of zero.
 */
export async function planApproval(
  simulator: Pick<Simulator, 'gasLimit'>,
  approval: {
    readonly owner: Address;
    readonly token: Address;
    readonly router: Address;
    readonly amount: bigint;
    readonly allowance: bigint;
  },
  signal?: AbortSignal,
): Promise<{ readonly calls: readonly [ContractCall, ...ContractCall[]]; readonly gas: bigint }> {
  const { owner, token, router, amount, allowance } = approval;
  const kind = `approve ${token}`;
  const call = approveCall(token, router, amount);
  try {
    return { calls: [call], gas: await simulator.gasLimit(call, owner, kind, signal) };
  } catch (error) {
    if (allowance === 0n || !(error instanceof KervanError) || error.code === 'NETWORK_UNREACHABLE')
      throw error;
    const reset = approveCall(token, router, 0n);
    return { calls: [reset, call], gas: await simulator.gasLimit(reset, owner, kind, signal) };
  }
}

/**
 * Runs calls one after another as the owner and throws what the last would fail with, so that no approval is paid
 * for a token that can't be sold. Answers the gas limit of the last. Nodes without `eth_simulateV1` can't tell: then
 * nothing is thrown, and nothing answered.
 */
export async function refuseFailing(
  rpc: RpcClient,
  owner: Address,
  calls: readonly ContractCall[],
  signal?: AbortSignal,
): Promise<bigint | undefined> {
  const messages = calls.map(({ to, data, value }) => ({ from: owner, to, data, value: numberToHex(value) }));
  const params = [{ blockStateCalls: [{ calls: messages }] }, 'latest'];
  const [answer] = await rpc.readAll([{ method: 'eth_simulateV1', params }], signal);
  const simulated = simulatedCalls.safeParse(answer?.ok ? answer.result : undefined);
  const last = simulated.success ? simulated.data.at(-1) : undefined;
  if (last?.error === undefined) return last?.gasUsed && limitFor(last.gasUsed);
  const { code, context } = simulationFailure({ ...last.error, data: last.returnData });
  throw new KervanError(code, context);
}
