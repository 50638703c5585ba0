import { base58Of } from './base58.ts';
import type { AccountKeys } from './account-keys.ts';
import type { Address } from './addresses.ts';
import { stringifyExact } from './json.ts';
import type { Execution, StoredAccount } from './runtime.ts';
import { uiTokenAmount, viewTokenAccount, type TokenIndex } from './token-index.ts';

/** Lamports and, for a token account, its tokens: an account at one end of a transaction. */
export interface AccountMoment {
  lamports: bigint;
  account: StoredAccount | undefined;
}

/**
 * The `meta` of `getTransaction` in JSON (encoding `json`), as Solana's RPC documents it. The fee is what
 * the accounts lost together: lamports are conserved but for it.
 */
export function transactionMeta(options: {
  keys: AccountKeys;
  before: readonly AccountMoment[];
  after: readonly AccountMoment[];
  execution: Execution;
  tokens: TokenIndex;
}): string {
  const { keys, before, after, execution, tokens } = options;
  const total = (moments: readonly AccountMoment[]): bigint =>
    moments.reduce((sum, each) => sum + each.lamports, 0n);
  const { error } = execution;
  return stringifyExact({
    err: error,
    status: error === null ? { Ok: null } : { Err: error },
    fee: total(before) - total(after),
    preBalances: before.map((each) => each.lamports),
    postBalances: after.map((each) => each.lamports),
    preTokenBalances: tokenBalances(keys.all, before, tokens),
    postTokenBalances: tokenBalances(keys.all, after, tokens),
    innerInstructions: innerInstructions(execution),
    logMessages: execution.logs,
    loadedAddresses: keys.loaded,
    computeUnitsConsumed: execution.unitsConsumed,
    ...(execution.returnData && {
      returnData: {
        programId: execution.returnData.programId,
        data: [Buffer.from(execution.returnData.data).toString('base64'), 'base64'],
      },
    }),
    rewards: [],
  });
}

/** Inner instructions in the RPC's compiled form, by the index of their top-level instruction. */
export function innerInstructions(execution: Execution): unknown[] {
  return execution.innerInstructions.flatMap((instructions, index) =>
    instructions.length === 0
      ? []
      : [
          {
            index,
            instructions: instructions.map((each) => ({
              programIdIndex: each.programIdIndex,
              accounts: [...each.accounts],
              data: base58Of(each.data),
              stackHeight: each.stackHeight,
            })),
          },
        ],
  );
}

function tokenBalances(
  accounts: readonly Address[],
  moments: readonly AccountMoment[],
  tokens: TokenIndex,
): unknown[] {
  return accounts.flatMap((_, accountIndex) => {
    const account = moments[accountIndex]?.account;
    const view = account && viewTokenAccount(account);
    if (!view) return [];
    const uiAmount = uiTokenAmount(view.amount, tokens.decimals(view.mint));
    return [
      {
        accountIndex,
        mint: view.mint,
        owner: view.owner,
        programId: view.programId,
        uiTokenAmount: uiAmount,
      },
    ];
  });
}
