import { createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSyncNativeInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { z } from 'zod';
import type { HttpRequest } from '../http.ts';
import type { Address } from './addresses.ts';
import { swapInstruction, type Hop } from './amm.ts';
import { associatedAccount } from './associated-account.ts';
import { buildTransaction, setComputeUnitLimit, setComputeUnitPrice } from './build-transaction.ts';
import type { Chain } from './chain.ts';
import type { Genesis } from './genesis.ts';
import { findRoute, integerText, JupiterError, mintText } from './jupiter-route.ts';
import { tipAccounts } from './tip-accounts.ts';
import { describeTransactionError } from './transaction-error.ts';
import { wrappedSolMint } from './tokens.ts';
import { parseTransaction } from './wire-transaction.ts';

const quoteResponseSchema = z.object({
  inputMint: mintText,
  outputMint: mintText,
  inAmount: integerText,
  otherAmountThreshold: integerText,
  routePlan: z.array(z.object({ swapInfo: z.object({ ammKey: mintText, inputMint: mintText }) })).min(1),
});

const priorityFeeSchema = z.union([
  z.literal('auto'),
  z.int().min(0),
  z.object({
    priorityLevelWithMaxLamports: z.object({ maxLamports: z.int().min(0), priorityLevel: z.string() }),
  }),
  z.object({ jitoTipLamports: z.int().min(0) }),
]);

const swapRequestSchema = z.object({
  quoteResponse: quoteResponseSchema,
  userPublicKey: mintText,
  wrapAndUnwrapSol: z.boolean().default(true),
  dynamicComputeUnitLimit: z.boolean().default(false),
  prioritizationFeeLamports: priorityFeeSchema.nullish(),
  blockhashSlotsToExpiry: z.int().min(1).max(150).optional(),
});

type SwapRequest = z.infer<typeof swapRequestSchema>;

const maxComputeUnits = 1_400_000;
/** Compute units of one hop with every account creation around it, generously. */
const unitsPerSwap = 140_000;
/** What Jupiter's levels come to on a network without congestion. */
const defaultPriorityFee = 10_000;

/** Answers `POST /swap/v1/swap` with an unsigned version 0 transaction. */
export async function swap(chain: Chain, genesis: Genesis, request: HttpRequest): Promise<unknown> {
  const parsed = swapRequestSchema.parse(request.body);
  const instructions = await swapInstructions(genesis, parsed);
  const lifetime = blockhashFor(chain, parsed.blockhashSlotsToExpiry);
  const fee = parsed.prioritizationFeeLamports ?? defaultPriorityFee;
  const user = createNoopSigner(parsed.userPublicKey);
  const isTip = typeof fee === 'object' && 'jitoTipLamports' in fee;
  if (isTip) {
    const [destination] = tipAccounts;
    instructions.push(getTransferSolInstruction({ source: user, destination, amount: fee.jitoTipLamports }));
  }

  const budget = [setComputeUnitLimit(maxComputeUnits), setComputeUnitPrice(0n)];
  const wire = buildTransaction(parsed.userPublicKey, [...budget, ...instructions], lifetime);
  const transaction = parseTransaction(wire);
  const simulated = parsed.dynamicComputeUnitLimit
    ? chain.simulate(transaction, { verifySignatures: false, checkBlockhash: false })
    : undefined;
  // A tenth more than it took just now: prices, and with them paths, move until it lands.
  const computeUnitLimit =
    simulated && simulated.error === null
      ? Math.min(maxComputeUnits, Math.ceil(simulated.unitsConsumed * 1.1))
      : Math.min(maxComputeUnits, unitsPerSwap * (parsed.quoteResponse.routePlan.length + 1));
  const priorityFee = isTip ? 0 : priorityFeeLamports(fee);
  const microLamports = (BigInt(priorityFee) * 1_000_000n) / BigInt(computeUnitLimit);
  // Building takes longer than simulating, so the final budget is written over the first one.
  const [limit, price] = transaction.message.instructions;
  limit?.data.set(setComputeUnitLimit(computeUnitLimit).data);
  price?.data.set(setComputeUnitPrice(microLamports).data);
  return {
    swapTransaction: Buffer.from(wire).toString('base64'),
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
    prioritizationFeeLamports: isTip ? fee.jitoTipLamports : priorityFee,
    computeUnitLimit,
    prioritizationType: isTip
      ? { jito: { lamports: fee.jitoTipLamports } }
      : { computeBudget: { microLamports: Number(microLamports), estimatedMicroLamports: null } },
    dynamicSlippageReport: null,
    simulationError: simulated?.error
      ? { errorCode: 'TRANSACTION_ERROR', error: describeTransactionError(simulated.error) }
      : null,
  };
}

function priorityFeeLamports(
  fee: Exclude<SwapRequest['prioritizationFeeLamports'], null | undefined>,
): number {
  if (fee === 'auto') return defaultPriorityFee;
  if (typeof fee === 'number') return fee;
  if ('jitoTipLamports' in fee) return 0;
  return Math.min(defaultPriorityFee, fee.priorityLevelWithMaxLamports.maxLamports);
}

function blockhashFor(
  chain: Chain,
  slotsToExpiry = 150,
): { blockhash: string; lastValidBlockHeight: number } {
  const newest = chain.clock.latestBlockhash('processed');
  if (slotsToExpiry === 150) return newest;
  // An older blockhash is what expires sooner.
  return chain.clock.blockhashExpiringAt(newest.lastValidBlockHeight - 150 + slotsToExpiry);
}

async function swapInstructions(genesis: Genesis, request: SwapRequest): Promise<Instruction[]> {
  const { quoteResponse, userPublicKey, wrapAndUnwrapSol } = request;
  const { inputMint, outputMint: outMint } = quoteResponse;
  const hops = findRoute(genesis, inputMint, outMint, false);
  if (
    hops.length !== quoteResponse.routePlan.length ||
    !hops.every((hop, i) => isHopOf(hop, quoteResponse, i))
  ) {
    throw new JupiterError('INVALID_REQUEST', 'The route plan is not one this API quoted');
  }
  const user = createNoopSigner(userPublicKey);
  const [userInput, userOutput] = await Promise.all([
    associatedAccount(userPublicKey, inputMint),
    associatedAccount(userPublicKey, outMint),
  ]);
  const create = (ata: Address, mint: Address): Instruction =>
    getCreateAssociatedTokenIdempotentInstruction({ payer: user, ata, owner: userPublicKey, mint });
  const amountIn = BigInt(quoteResponse.inAmount);
  const wraps = wrapAndUnwrapSol && inputMint === wrappedSolMint;
  const unwraps = wrapAndUnwrapSol && outMint === wrappedSolMint;
  return [
    ...(wraps
      ? [
          create(userInput, inputMint),
          getTransferSolInstruction({ source: user, destination: userInput, amount: amountIn }),
          getSyncNativeInstruction({ account: userInput }),
        ]
      : []),
    create(userOutput, outMint),
    swapInstruction({
      program: genesis.ammProgram,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      user: userPublicKey,
      userInput,
      userOutput,
      hops,
      amountIn,
      minimumOut: BigInt(quoteResponse.otherAmountThreshold),
    }),
    ...(wraps || unwraps
      ? [
          getCloseAccountInstruction({
            account: wraps ? userInput : userOutput,
            destination: userPublicKey,
            owner: user,
          }),
        ]
      : []),
  ];
}

function isHopOf(hop: Hop, quoteResponse: z.infer<typeof quoteResponseSchema>, index: number): boolean {
  const info = quoteResponse.routePlan[index]?.swapInfo;
  return info?.ammKey === hop.pool.address && info.inputMint === hop.inputMint;
}
