import { NATIVE } from '@kervan/contract';
import { formatUnits } from '@kervan/domain';
import type { ChainFailure } from '../port.ts';
import { printable } from '../printable.ts';
import { token2022Program, tokenProgram } from './addresses.ts';

/** What is known of a failed transaction, in the form the rules below look at. */
interface Evidence {
  /** The variant of the TransactionError, such as InstructionError or BlockhashNotFound. */
  readonly kind: string;
  /** The failing program's own error number, if it gave one. */
  readonly custom: number | undefined;
  /** The innermost program that failed, from the logs. */
  readonly program: string | undefined;
  /** Anchor's name of the error, from the logs. */
  readonly anchorName: string | undefined;
  readonly logs: readonly string[];
}

type Rule = (evidence: Evidence) => ChainFailure | undefined;

const tokenPrograms: readonly string[] = [tokenProgram, token2022Program];
/** Jupiter's program, and the sandbox's after it: https://dev.jup.ag/docs/swap/common-errors */
const slippageToleranceExceeded = 6001;
/** SPL Token's error.rs: AccountFrozen; Token-2022's: NonTransferable. */
const transferRefusals = [17, 37];
const slippageNames = /slippage|AmountOutBelowMinimum|TooLittle(Output|Sol)|TooMuch(Input|Sol)/i;
// Any program writes into the logs; a u64 has no more than 20 digits.
const insufficientLamports = /insufficient lamports (\d{1,20}), need (\d{1,20})\b/;

/** First match wins. Codes of programs before words in logs; words only where a program gives nothing else. */
const rules: readonly Rule[] = [
  ({ kind }) => (kind === 'BlockhashNotFound' ? { code: 'TRANSACTION_EXPIRED', context: {} } : undefined),
  // The system program names both numbers when a transfer or an account's deposit is too much.
  ({ logs }) => {
    const [available, needed] = findInLogs(logs, insufficientLamports);
    if (available === undefined || needed === undefined) return undefined;
    return {
      code: 'BALANCE_INSUFFICIENT',
      context: { available: sol(available), needed: sol(needed), symbol },
    };
  },
  ({ program, custom }) =>
    program !== undefined && tokenPrograms.includes(program) && transferRefusals.includes(custom ?? -1)
      ? { code: 'TRANSFER_FAILED', context: {} }
      : undefined,
  // The same number means something else in many an Anchor program, which then logs the name.
  ({ custom, anchorName }) =>
    anchorName === undefined
      ? slippageIf(custom === slippageToleranceExceeded)
      : slippageIf(slippageNames.test(anchorName)),
  ({ logs }) => slippageIf(logs.some((line) => /exceeds desired slippage limit/i.test(line))),
];

/**
 * Turns the `err` and the logs of a landed or simulated transaction into a code: SLIPPAGE_EXCEEDED,
 * BALANCE_INSUFFICIENT, TRANSFER_FAILED, TRANSACTION_EXPIRED, else TRANSACTION_REVERTED with the chain's reason.
 */
export function explainFailure(error: unknown, logs: readonly string[]): ChainFailure {
  const evidence = collectEvidence(error, logs);
  for (const rule of rules) {
    const failure = rule(evidence);
    if (failure) return failure;
  }
  return { code: 'TRANSACTION_REVERTED', context: { reason: describe(error, evidence) } };
}

function collectEvidence(error: unknown, logs: readonly string[]): Evidence {
  const [program] = findInLogs(logs, /^Program (\w+) failed: /);
  const [anchorName] = findInLogs(logs, /Error Code: (\w+)/);
  return { kind: errorKind(error), custom: customCode(error), program, anchorName, logs };
}

function errorKind(error: unknown): string {
  if (typeof error === 'string') return error;
  return typeof error === 'object' && error !== null ? (Object.keys(error)[0] ?? '') : '';
}

// {InstructionError: [index, {Custom: number}]}; kit reads some of the numbers as bigints.
function customCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('InstructionError' in error)) return undefined;
  const detail: unknown = Array.isArray(error.InstructionError) ? error.InstructionError[1] : undefined;
  if (typeof detail !== 'object' || detail === null || !('Custom' in detail)) return undefined;
  return Number(detail.Custom);
}

function findInLogs(logs: readonly string[], pattern: RegExp): (string | undefined)[] {
  for (const line of logs) {
    const match = pattern.exec(line);
    if (match) return match.slice(1);
  }
  return [];
}

const { symbol, decimals } = NATIVE.solana;

function sol(lamports: string): string {
  return formatUnits(BigInt(lamports), decimals);
}

function slippageIf(isSlippage: boolean): ChainFailure | undefined {
  return isSlippage ? { code: 'SLIPPAGE_EXCEEDED', context: {} } : undefined;
}

function describe(error: unknown, { anchorName, logs }: Evidence): string {
  const [said] = findInLogs(
    logs,
    /^Program log: (?:Error: )?(.*(?:error|insufficient|fail|exceed|frozen).*)$/i,
  );
  const [failed] = findInLogs(logs, /^Program \w+ failed: (.+)$/);
  const raw = JSON.stringify(error, (_key, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
  return printable(anchorName ?? said ?? failed ?? raw ?? '') || 'unknown';
}
