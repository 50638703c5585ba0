import {
  Account,
  Clock,
  FailedTransactionMetadata,
  LiteSvm,
  type SimulatedTransactionInfo,
  type TransactionMetadata,
} from 'litesvm/dist/internal.js';
import { addressOf, bytesOf, type Address } from './addresses.ts';
import { transactionErrorOf, type TransactionError } from './transaction-error.ts';

// LiteSVM's inner class is used, not its wrapper: the wrapper decodes and re-encodes every transaction
// and every key, which costs more than running them.

export interface StoredAccount {
  lamports: bigint;
  owner: Address;
  data: Uint8Array;
  executable: boolean;
}

export interface InnerInstruction {
  programIdIndex: number;
  accounts: Uint8Array;
  data: Uint8Array;
  stackHeight: number;
}

export interface Execution {
  error: TransactionError | null;
  logs: string[];
  unitsConsumed: number;
  returnData: { programId: Address; data: Uint8Array } | null;
  /** One list for every top-level instruction that was reached. */
  innerInstructions: InnerInstruction[][];
}

export interface Simulation extends Execution {
  /** The writable accounts as the transaction would leave them; empty when it fails. */
  postAccounts: Map<Address, StoredAccount>;
}

/**
 * The Solana virtual machine with its accounts. It knows no history and no blockhash window: the chain
 * around it keeps both.
 */
export interface Runtime {
  account(address: Address): StoredAccount | undefined;
  balance(address: Address): bigint;
  /** Whether `account` has shown this address to be a program. Programs are large: better not fetched twice. */
  isKnownProgram(address: Address): boolean;
  /** Writes an account as it is, without any rule; undefined removes it. */
  put(address: Address, account: StoredAccount | undefined): void;
  programAccounts(program: Address): { address: Address; account: StoredAccount }[];
  loadProgram(address: Address, program: Uint8Array): void;
  /** Runs a signed wire transaction and keeps its effects; a failed one may still pay its fee. */
  execute(wire: Uint8Array, isLegacy: boolean): Execution;
  simulate(wire: Uint8Array, isLegacy: boolean, options: { verifySignatures: boolean }): Simulation;
  setClock(slot: number, unixSeconds: number): void;
  rentExemption(bytes: number): bigint;
  /** All accounts as bytes, for `createRuntime`. */
  save(): Uint8Array;
}

/** A fresh machine, or the one whose `save` gave these bytes; throws on bytes of another LiteSVM release. */
export function createRuntime(saved?: Uint8Array): Runtime {
  const svm = saved ? restore(saved) : new LiteSvm();
  if (!saved) svm.withNativeMints();
  svm.setSigverify(true);
  // Only its newest blockhash would pass, and duplicates are the chain's business.
  svm.setBlockhashCheck(false);
  svm.setTransactionHistory(0n);
  const programs = new Set<Address>();

  return {
    account(address) {
      const account = svm.getAccount(bytesOf(address));
      if (account === null) return undefined;
      if (account.executable()) programs.add(address);
      return storedAccountOf(account);
    },
    isKnownProgram: (address) => programs.has(address),
    balance: (address) => svm.getBalance(bytesOf(address)) ?? 0n,
    put(address, account) {
      svm.setAccount(
        bytesOf(address),
        account
          ? new Account(account.lamports, account.data, bytesOf(account.owner), account.executable, 0n)
          : new Account(0n, new Uint8Array(), new Uint8Array(32), false, 0n),
      );
    },
    programAccounts: (program) =>
      svm.getProgramAccounts(bytesOf(program)).map((each) => ({
        address: addressOf(each.address),
        account: storedAccountOf(each.account()),
      })),
    loadProgram: (address, program) => svm.addProgram(bytesOf(address), program),
    execute(wire, isLegacy) {
      const result = isLegacy ? svm.sendLegacyTransaction(wire) : svm.sendVersionedTransaction(wire);
      return executionOf(result);
    },
    simulate(wire, isLegacy, { verifySignatures }) {
      svm.setSigverify(verifySignatures);
      try {
        const result = isLegacy
          ? svm.simulateLegacyTransaction(wire)
          : svm.simulateVersionedTransaction(wire);
        return simulationOf(result);
      } finally {
        svm.setSigverify(true);
      }
    },
    setClock: (slot, unixSeconds) => svm.setClock(new Clock(BigInt(slot), 0n, 0n, 1n, BigInt(unixSeconds))),
    rentExemption: (bytes) => svm.minimumBalanceForRentExemption(BigInt(bytes)),
    save: () => svm.toBytes(),
  };
}

function restore(saved: Uint8Array): LiteSvm {
  try {
    return LiteSvm.fromBytes(saved);
  } catch (cause) {
    throw new Error('This release cannot read the saved Solana sandbox: its directory has to be removed', {
      cause,
    });
  }
}

function storedAccountOf(account: Account): StoredAccount {
  return {
    lamports: account.lamports(),
    owner: addressOf(account.owner()),
    data: account.data(),
    executable: account.executable(),
  };
}

function executionOf(result: TransactionMetadata | FailedTransactionMetadata): Execution {
  const failed = result instanceof FailedTransactionMetadata;
  const meta = failed ? result.meta() : result;
  const returned = meta.returnData();
  const returnedBytes = returned.data();
  return {
    error: failed ? transactionErrorOf(result) : null,
    logs: meta.logs(),
    unitsConsumed: Number(meta.computeUnitsConsumed()),
    returnData:
      returnedBytes.length === 0 ? null : { programId: addressOf(returned.programId()), data: returnedBytes },
    innerInstructions: meta.innerInstructions().map((list) =>
      list.map((inner) => {
        const instruction = inner.instruction();
        return {
          programIdIndex: instruction.programIdIndex(),
          accounts: instruction.accounts(),
          data: instruction.data(),
          stackHeight: inner.stackHeight(),
        };
      }),
    ),
  };
}

function simulationOf(result: SimulatedTransactionInfo | FailedTransactionMetadata): Simulation {
  if (result instanceof FailedTransactionMetadata) return { ...executionOf(result), postAccounts: new Map() };
  return {
    ...executionOf(result.meta()),
    postAccounts: new Map(
      result.postAccounts().map((each) => [addressOf(each.address), storedAccountOf(each.account())]),
    ),
  };
}
