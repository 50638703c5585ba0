import { encodeErrorResult, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { isRevert, landedFailure, reasonOfError, revertReason, simulationFailure } from './failures.ts';

const abi = parseAbi([
  'error Error(string reason)',
  'error Panic(uint256 code)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
]);
const reverted = (reason: string) => ({
  code: 3,
  message: `execution reverted: ${reason}`,
  data: encodeErrorResult({ abi, errorName: 'Error', args: [reason] }),
});

describe('simulationFailure', () => {
  it.each([
    ['PancakeRouter: INSUFFICIENT_OUTPUT_AMOUNT', 'SLIPPAGE_EXCEEDED'],
    ['UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT', 'SLIPPAGE_EXCEEDED'],
    ['Too little received', 'SLIPPAGE_EXCEEDED'],
    ['Insufficient WETH9', 'SLIPPAGE_EXCEEDED'],
    ['PancakeRouter: EXPIRED', 'TRANSACTION_EXPIRED'],
    ['Transaction too old', 'TRANSACTION_EXPIRED'],
    ['PancakeLibrary: INSUFFICIENT_LIQUIDITY', 'ROUTE_UNAVAILABLE'],
    ['TransferHelper: TRANSFER_FROM_FAILED', 'TRANSFER_FAILED'],
    ['Pancake: TRANSFER_FAILED', 'TRANSFER_FAILED'],
    ['Pancake: K', 'TRANSFER_FAILED'],
    ['STF', 'TRANSFER_FAILED'],
    ['IIA', 'TRANSFER_FAILED'],
    ['BEP20: transfer amount exceeds balance', 'TRANSFER_FAILED'],
    ['Trading is not open', 'SIMULATION_FAILED'],
  ])('reads %j as %s', (reason, code) => {
    expect(simulationFailure(reverted(reason))).toEqual({ code, context: { reason } });
  });

  it('knows the errors of newer OpenZeppelin tokens by name', () => {
    const args = ['0x10ED43C718714eb63d5aA57B78B54704E256024E', 1n, 2n] as const;
    const data = encodeErrorResult({ abi, errorName: 'ERC20InsufficientBalance', args });
    expect(simulationFailure({ code: 3, message: 'execution reverted', data }).code).toBe('TRANSFER_FAILED');
  });
});

describe('revertReason', () => {
  it.each([
    ['a panic', encodeErrorResult({ abi, errorName: 'Panic', args: [0x11n] }), 'panic 0x11'],
    ['an unknown error', '0xdeadbeef', 'custom error 0xdeadbeef'],
    ['no data', '0x', 'no reason given'],
    ['torn data', '0x08c379a0ff', 'custom error 0x08c379a0'],
  ] as const)('names %s', (_, data, reason) => {
    expect(revertReason(data)).toBe(reason);
  });

  it('keeps a hostile reason short and printable', () => {
    const { data } = reverted(`a\0b\u001B[31m\u202E${'x'.repeat(10_000)}`);
    expect(revertReason(data)).toMatch(/^ab\[31mx{1,200}$/);
  });

  it('kept a trade from ending: a reason that a database refuses to store', () => {
    const cut = reverted(`${'x'.repeat(199)}😀`).data;
    expect(revertReason(cut)).toBe('x'.repeat(199));
    expect(revertReason(reverted('\0').data)).toBe('no reason given');
    expect(reasonOfError({ code: 3, message: 'execution reverted: a\0\uDC00b' })).toBe('ab');
  });
});

it('takes the words of a node that gives no data', () => {
  expect(reasonOfError({ code: -32_000, message: 'execution reverted' })).toBe('no reason given');
  expect(reasonOfError({ code: -32_000, message: 'err: gas required exceeds allowance (50)' })).toBe(
    'err: gas required exceeds allowance (50)',
  );
});

it('tells a revert from a node that would not run the call', () => {
  expect(isRevert(reverted('anything'))).toBe(true);
  expect(isRevert({ code: -32_000, message: 'gas required exceeds allowance (50)' })).toBe(true);
  expect(isRevert({ code: -32_603, message: 'EVM error InvalidFEOpcode' })).toBe(true);
  expect(isRevert({ code: -32_000, message: 'invalid opcode: INVALID' })).toBe(true);
  expect(isRevert({ code: -32_602, message: 'BlockOutOfRangeError: block height is 41' })).toBe(false);
  expect(isRevert({ code: -32_000, message: 'missing trie node' })).toBe(false);
});

it('words a landed failure without a known reason as the chain’s refusal', () => {
  expect(landedFailure('out of gas')).toEqual({
    code: 'TRANSACTION_REVERTED',
    context: { reason: 'out of gas' },
  });
});
