import { encodeAbiParameters, maxUint256, pad, toEventSelector, type Address, type Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { settle, type Receipt } from './settlement.ts';

const owner: Address = '0x1111111111111111111111111111111111111111';
const other: Address = '0x2222222222222222222222222222222222222222';
const token: Address = '0xAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAa';
const wbnb: Address = '0xbBbBbBbBbBbBbBbBbBbBbBbBbBbBbBbBbBbBbBbB';
const router: Address = '0xCcCcCcCcCcCcCcCcCcCcCcCcCcCcCcCcCcCcCcCc';

const uint = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value]);
const transfer = (from: Address, to: Address, units: bigint, address = token) => ({
  address,
  topics: [toEventSelector('Transfer(address,address,uint256)'), pad(from), pad(to)],
  data: uint(units),
  blockTimestamp: 1n,
});
const wrapping =
  (event: string) =>
  (account: Address, wei: bigint, address = wbnb) => ({
    address,
    topics: [toEventSelector(event), pad(account)],
    data: uint(wei),
    blockTimestamp: 1n,
  });

function receipt(logs: Receipt['logs'], status: '0x0' | '0x1' = '0x1'): Receipt {
  return {
    transactionHash: '0x01',
    status,
    blockNumber: 7n,
    gasUsed: 100n,
    effectiveGasPrice: 3n,
    // A node may answer any case.
    to: router.toLowerCase() as Address,
    logs,
  };
}

const withdrawal = wrapping('Withdrawal(address,uint256)');
const deposit = wrapping('Deposit(address,uint256)');

const landedAt = new Date(1_000);
const settled = (action: 'buy' | 'sell', of: Receipt, sentWei = 0n, v3Router = other) =>
  settle(of, { owner, action, tokenAddress: token }, { sentWei, wbnb, v3Router, landedAt });

describe('settle', () => {
  it('takes a buy’s cost from the wei sent and its tokens from the transfers to the owner', () => {
    const logs = [transfer(other, owner, 950n), transfer(other, router, 50n), transfer(owner, owner, 5n)];
    expect(settled('buy', receipt(logs), 10n)).toEqual({
      nativeUnits: 10n,
      tokenUnits: 950n,
      feeUnits: 300n,
      tipUnits: 0n,
      rentUnits: 0n,
      height: 7n,
      landedAt,
    });
  });

  it('counts all that left the owner in a sell, its tax included', () => {
    const logs = [transfer(owner, other, 50n), transfer(owner, router, 950n), withdrawal(router, 9n)];
    expect(settled('sell', receipt(logs))).toMatchObject({ nativeUnits: 9n, tokenUnits: 1000n });
  });

  it('does not count what a token’s own code sold through the same router before', () => {
    const logs = [withdrawal(router, 1_000_000n), transfer(owner, other, 50n), withdrawal(router, 9n)];
    expect(settled('sell', receipt(logs)).nativeUnits).toBe(9n);
  });

  it('does not count other tokens, other wrapped natives or other accounts', () => {
    const logs = [
      transfer(other, owner, 5n, other),
      transfer(other, router, 5n),
      withdrawal(router, 9n, other),
      withdrawal(other, 9n),
    ];
    expect(settled('sell', receipt(logs))).toMatchObject({ nativeUnits: 0n, tokenUnits: 0n });
  });

  it('leaves an approval or a cancel with its fee only', () => {
    expect(settled('sell', receipt([]))).toMatchObject({ nativeUnits: 0n, tokenUnits: 0n, feeUnits: 300n });
    expect(settled('buy', receipt([]))).toMatchObject({ nativeUnits: 0n, tokenUnits: 0n, feeUnits: 300n });
  });

  it('leaves a reverted transaction with its fee only', () => {
    expect(settled('buy', receipt([], '0x0'), 10n)).toMatchObject({
      nativeUnits: 0n,
      tokenUnits: 0n,
      feeUnits: 300n,
    });
  });

  it('takes a buy on V3 by what its router wrapped for the pool, last: the rest came back', () => {
    const logs = [
      deposit(router, 1_000n),
      deposit(other, 5n),
      deposit(router, 7n),
      deposit(router, 5n, other),
    ];
    expect(settled('buy', receipt(logs), 10n, router).nativeUnits).toBe(7n);
    // V2's router takes all it is given, whatever else it wraps for a token's own code.
    expect(settled('buy', receipt(logs), 10n).nativeUnits).toBe(10n);
    expect(settled('buy', receipt(logs, '0x0'), 10n, router).nativeUnits).toBe(0n);
  });

  it.each(['0x', '0x05', `0x${'00'.repeat(33)}`, `0x${'ff'.repeat(5_000)}`] as Hex[])(
    'kept a trade from ending: counts no Transfer that does not hold exactly one number',
    (data) => {
      const logs = [{ ...transfer(other, owner, 1n), data }, transfer(other, owner, 5n)];
      expect(settled('buy', receipt(logs), 10n).tokenUnits).toBe(5n);
      expect(settled('sell', receipt([{ ...withdrawal(router, 1n), data }])).nativeUnits).toBe(0n);
    },
  );

  it('kept a trade from ending: a sum of lying Transfers stays within 256 bits', () => {
    const incoming = [transfer(other, owner, maxUint256), transfer(other, owner, maxUint256)];
    expect(settled('buy', receipt(incoming), 10n).tokenUnits).toBe(maxUint256);
    expect(settled('sell', receipt(incoming)).tokenUnits).toBe(-maxUint256);
  });
});
