import { describe, expect, it } from 'vitest';
import { explainFailure } from './failures.ts';

const instructionError = (custom: number | bigint) => ({ InstructionError: [3, { Custom: custom }] });
const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

describe('explainFailure', () => {
  it.each<[string, unknown, string[], string]>([
    ['Jupiter’s 6001', instructionError(6001), [], 'SLIPPAGE_EXCEEDED'],
    ['6001 as kit reads it', instructionError(6001n), [], 'SLIPPAGE_EXCEEDED'],
    [
      'an Anchor error by name',
      instructionError(6022),
      ['Program log: AnchorError thrown in x.rs:1. Error Code: TooLittleOutputReceived. Error Number: 6022.'],
      'SLIPPAGE_EXCEEDED',
    ],
    [
      'another Anchor program’s 6001',
      instructionError(6001),
      ['Program log: AnchorError occurred. Error Code: InvalidStartBinIndex. Error Number: 6001.'],
      'TRANSACTION_REVERTED',
    ],
    [
      'a program that says slippage in words',
      instructionError(30),
      ['Program log: Error: exceeds desired slippage limit'],
      'SLIPPAGE_EXCEEDED',
    ],
    [
      'a frozen token account',
      instructionError(17),
      ['Program log: Error: Account is frozen', `Program ${tokenProgram} failed: custom program error: 0x11`],
      'TRANSFER_FAILED',
    ],
    [
      '17 of another program',
      instructionError(17),
      ['Program AMM failed: custom program error: 0x11'],
      'TRANSACTION_REVERTED',
    ],
    ['an unknown blockhash', 'BlockhashNotFound', [], 'TRANSACTION_EXPIRED'],
    ['anything else', { InsufficientFundsForRent: { account_index: 0 } }, [], 'TRANSACTION_REVERTED'],
  ])('names %s', (_case, error, logs, code) => {
    expect(explainFailure(error, logs).code).toBe(code);
  });

  it('takes both numbers of a missing balance from the system program', () => {
    const logs = ['Program log: Create', 'Transfer: insufficient lamports 1500000000, need 2000000001'];
    expect(explainFailure(instructionError(1), logs)).toEqual({
      code: 'BALANCE_INSUFFICIENT',
      context: { available: '1.5', needed: '2.000000001', symbol: 'SOL' },
    });
  });

  it('gives the chain’s reason, in words if it has any', () => {
    const failed = 'Program Amm111 failed: custom program error: 0x17d4';
    expect(explainFailure(instructionError(6100), ['Program log: Swap', failed]).context).toEqual({
      reason: 'custom program error: 0x17d4',
    });
    const said = 'Program log: Error: insufficient funds';
    expect(explainFailure(instructionError(1), [said, failed]).context).toEqual({
      reason: 'insufficient funds',
    });
    expect(explainFailure('AccountInUse', []).context).toEqual({ reason: '"AccountInUse"' });
    const long = explainFailure(instructionError(1), [`Program log: error ${'x'.repeat(900)}`]).context[
      'reason'
    ];
    expect(long).toHaveLength(200);
  });

  it('gives no reason that the database refuses, whatever a program logs', () => {
    const nul = explainFailure(instructionError(1), ['Program log: error a\0b']);
    expect(nul.context).toEqual({ reason: 'error ab' });
    const text = `error ${'x'.repeat(193)}😀 and more`;
    const cut = explainFailure(instructionError(1), [`Program log: ${text}`]).context['reason'];
    expect(cut).toBe(`error ${'x'.repeat(193)}`);
    expect(explainFailure(instructionError(1), ['Program log: Error: \0fail\0']).context).toEqual({
      reason: 'fail',
    });
  });

  it('takes no number from the logs that no wallet could hold', () => {
    const logs = [`Transfer: insufficient lamports 1, need ${'9'.repeat(5_000)}`];
    expect(explainFailure(instructionError(1), logs).code).toBe('TRANSACTION_REVERTED');
  });
});
