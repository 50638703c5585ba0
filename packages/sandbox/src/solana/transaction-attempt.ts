import { resolveAccountKeys } from './account-keys.ts';
import type { Address } from './addresses.ts';
import type { AccountEffect, LandedTransaction } from './ledger-record.ts';
import type { Execution, Runtime, StoredAccount } from './runtime.ts';
import type { SlotClock } from './slot-clock.ts';
import type { TokenIndex } from './token-index.ts';
import { transactionMeta, type AccountMoment } from './transaction-meta.ts';
import type { WireTransaction } from './wire-transaction.ts';

/** A transaction that has run: its effects are in the runtime, and can still be taken back. */
export interface Attempt {
  execution: Execution;
  /** Whether the fee was taken: what a cluster includes in a block. */
  isCharged: boolean;
  land(): LandedTransaction;
  undo(): void;
}

/** Runs a transaction on the present state. */
export function attemptTransaction(
  transaction: WireTransaction,
  chain: { runtime: Runtime; clock: SlotClock; tokens: TokenIndex },
): Attempt {
  const { runtime, clock, tokens } = chain;
  const keys = resolveAccountKeys(transaction.message, runtime);
  const before = keys.all.map((address, index) =>
    readMoment(runtime, address, keys.isWritable[index] === true),
  );
  const execution = runtime.execute(transaction.wire, transaction.message.version === 'legacy');
  const after = keys.all.map((address, index) =>
    keys.isWritable[index] ? readMoment(runtime, address, true) : (before[index] ?? noMoment),
  );
  const effects = keys.all.flatMap((address, index): AccountEffect[] => {
    const account = after[index]?.account;
    return isUnchanged(before[index]?.account, account) ? [] : [{ address, account }];
  });
  return {
    execution,
    isCharged: effects.length > 0,
    land: () => ({
      signature: transaction.signature,
      slot: clock.slot,
      blockTime: clock.unixSeconds,
      error: execution.error,
      accounts: keys.all,
      wire: transaction.wire,
      meta: transactionMeta({ keys, before, after, execution, tokens }),
      effects,
    }),
    undo() {
      effects.forEach(({ address }) => runtime.put(address, before[keys.all.indexOf(address)]?.account));
    },
  };
}

const noMoment: AccountMoment = { lamports: 0n, account: undefined };

function readMoment(runtime: Runtime, address: Address, isWritable: boolean): AccountMoment {
  if (!isWritable && runtime.isKnownProgram(address)) {
    return { lamports: runtime.balance(address), account: undefined };
  }
  const account = runtime.account(address);
  return { lamports: account?.lamports ?? 0n, account };
}

function isUnchanged(before: StoredAccount | undefined, after: StoredAccount | undefined): boolean {
  if (!before || !after) return before === after;
  return (
    before.lamports === after.lamports &&
    before.owner === after.owner &&
    Buffer.compare(before.data, after.data) === 0
  );
}
