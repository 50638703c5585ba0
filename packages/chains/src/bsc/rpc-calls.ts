import { numberToHex, type Address, type Hex } from 'viem';
import { z } from 'zod';
import type { RpcCall } from './rpc-client.ts';

/** A call into a contract, with the wei it carries. */
export interface ContractCall {
  readonly to: Address;
  readonly data: Hex;
  readonly value: bigint;
}

export type BlockTag = 'latest' | bigint;

/** Hexadecimal bytes as a node sends them. */
export const hexSchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)]);
/** A number of up to 256 bits as a node sends it: hexadecimal, without leading zeros. */
export const quantitySchema = z
  .templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{1,64}$/)])
  .transform((hex) => BigInt(hex));

/** A list as a node sends it, counted before it is read: of millions of wrong items, each would be remarked upon. */
export function listSchema<Item extends z.ZodType>(item: Item, most = 10_000) {
  return z.array(z.unknown()).max(most).pipe(z.array(item));
}

/** Where the balance, code or storage of an account is made up for the length of one call (geth's state overrides). */
export type StateOverrides = Readonly<Record<Address, { readonly code?: Hex; readonly balance?: bigint }>>;

export function callOf(
  call: ContractCall,
  options: { from?: Address; gas?: bigint; block?: BlockTag; overrides?: StateOverrides } = {},
): RpcCall {
  const params: unknown[] = [messageOf(call, options), tagOf(options.block ?? 'latest')];
  if (options.overrides) params.push(overridesOf(options.overrides));
  return { method: 'eth_call', params };
}

export function estimateGasOf(call: ContractCall, from: Address): RpcCall {
  return { method: 'eth_estimateGas', params: [messageOf(call, { from }), 'latest'] };
}

/** The native balance. */
export function balanceOf(account: Address): RpcCall {
  return { method: 'eth_getBalance', params: [account, 'latest'] };
}

export function transactionCountOf(owner: Address, block: BlockTag): RpcCall {
  return { method: 'eth_getTransactionCount', params: [owner, tagOf(block)] };
}

export function codeOf(account: Address): RpcCall {
  return { method: 'eth_getCode', params: [account, 'latest'] };
}

export function receiptOf(txId: string): RpcCall {
  return { method: 'eth_getTransactionReceipt', params: [txId] };
}

export function transactionOf(txId: string): RpcCall {
  return { method: 'eth_getTransactionByHash', params: [txId] };
}

export function blockOf(block: BlockTag): RpcCall {
  return { method: 'eth_getBlockByNumber', params: [tagOf(block), false] };
}

export const headOf: RpcCall = { method: 'eth_blockNumber', params: [] };

function messageOf(call: ContractCall, options: { from?: Address; gas?: bigint }): object {
  return {
    ...(options.from && { from: options.from }),
    to: call.to,
    data: call.data,
    ...(call.value > 0n && { value: numberToHex(call.value) }),
    ...(options.gas !== undefined && { gas: numberToHex(options.gas) }),
  };
}

function overridesOf(overrides: StateOverrides): object {
  const entries = Object.entries(overrides).map(([account, { code, balance }]) => [
    account,
    { ...(code && { code }), ...(balance !== undefined && { balance: numberToHex(balance) }) },
  ]);
  return Object.fromEntries(entries);
}

function tagOf(block: BlockTag): string {
  return typeof block === 'bigint' ? numberToHex(block) : block;
}
