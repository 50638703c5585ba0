import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import {
  describeTransactionError,
  instructionErrorNames,
  transactionErrorNames,
} from './transaction-error.ts';

describe('transaction errors', () => {
  it('are numbered as LiteSVM declares them', async () => {
    const path = createRequire(import.meta.url)
      .resolve('litesvm/dist/internal.js')
      .replace(/\.js$/, '.d.ts');
    const declarations = await readFile(path, 'utf8');
    const declared = (name: string): string[] => {
      const body = new RegExp(`const enum ${name} {([^}]*)}`).exec(declarations)?.[1] ?? '';
      return [...body.matchAll(/(\w+) = \d+/g)].map((match) => match[1] ?? '');
    };
    expect(declared('TransactionErrorFieldless')).toEqual([...transactionErrorNames]);
    expect(declared('InstructionErrorFieldless')).toEqual([...instructionErrorNames]);
  });

  it('are put in Agave’s words', () => {
    expect(describeTransactionError('BlockhashNotFound')).toBe('Blockhash not found');
    expect(describeTransactionError({ InstructionError: [2, { Custom: 6001 }] })).toBe(
      'Error processing Instruction 2: custom program error: 0x1771',
    );
  });
});
