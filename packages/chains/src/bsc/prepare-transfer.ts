import { KervanError } from '@kervan/contract';
import { size, type Address } from 'viem';
import type { PreparedTransaction, TransferAsset, TransferRequest } from '../port.ts';
import { requireAddress } from './address.ts';
import { balanceOfCall, transferCall } from './erc20.ts';
import type { Purse } from './market-survey.ts';
import { aggregate, nativeBalanceCall, readAggregate, readUint } from './multicall.ts';
import { nativeShort, prepared, tokenShort, type SwapDependencies } from './prepare-swap.ts';
import {
  callOf,
  codeOf,
  hexSchema,
  quantitySchema,
  transactionCountOf,
  type ContractCall,
} from './rpc-calls.ts';
import { requireResult } from './rpc-client.ts';
import { plainTransferGas } from './transaction.ts';

type Dependencies = Pick<SwapDependencies, 'chainId' | 'rpc' | 'contracts' | 'simulator' | 'gasPrice'>;

/** Who pays whom, and what both are at one moment on the chain. */
interface Payment {
  readonly owner: Address;
  readonly recipient: Address;
  readonly isToContract: boolean;
  readonly purse: Purse & { readonly tokenBalance: bigint };
  readonly gasPrice: bigint;
}

interface Plan {
  readonly call: ContractCall;
  readonly gas: bigint;
}

/**
 * A transfer, simulated as it will be sent. To a plain account the chain's own coin costs exactly 21,000 gas, so that
 * all of it leaves nothing behind; a contract may use less than its limit, and the rest then stays.
 *
 * Throws BALANCE_INSUFFICIENT, TRANSFER_FAILED, SIMULATION_FAILED.
 */
export async function prepareTransfer(
  dependencies: Dependencies,
  { asset, ...request }: TransferRequest,
  signal?: AbortSignal,
): Promise<PreparedTransaction> {
  const owner = requireAddress(request.owner, 'ADDRESS_INVALID');
  const recipient = requireAddress(request.recipient, 'ADDRESS_INVALID');
  const moved = asset.kind === 'token' ? requireAddress(asset.tokenAddress, 'TOKEN_ADDRESS_INVALID') : asset;
  const token = typeof moved === 'string' ? moved : undefined;
  const payment = await readPayment(dependencies, owner, recipient, token, signal);
  const { call, gas } =
    typeof moved === 'string'
      ? await planTokens(dependencies, payment, moved, signal)
      : await planNative(dependencies, payment, moved, signal);
  const { purse, gasPrice } = payment;
  return prepared(dependencies, {
    purpose: 'transfer',
    owner,
    purse,
    gasPrice,
    call,
    gas,
    laterGas: 0n,
    quote: null,
  });
}

async function readPayment(
  { rpc, contracts, gasPrice }: Dependencies,
  owner: Address,
  recipient: Address,
  token: Address | undefined,
  signal?: AbortSignal,
): Promise<Payment> {
  const { multicall3 } = contracts;
  const balances = aggregate(multicall3, [
    nativeBalanceCall(multicall3, owner),
    ...(token ? [balanceOfCall(token, owner)] : []),
  ]);
  const [price, [balancesAnswer, nonceAnswer, codeAnswer]] = await Promise.all([
    gasPrice.priceFor('standard', signal),
    rpc.readAll([callOf(balances), transactionCountOf(owner, 'latest'), codeOf(recipient)], signal),
  ]);
  const [native, tokens] = readAggregate(hexSchema.parse(requireResult(balancesAnswer)));
  return {
    owner,
    recipient,
    isToContract: size(hexSchema.parse(requireResult(codeAnswer))) > 0,
    purse: {
      nativeBalance: readUint(native) ?? 0n,
      tokenBalance: readUint(tokens) ?? 0n,
      nonce: Number(quantitySchema.parse(requireResult(nonceAnswer))),
    },
    gasPrice: price,
  };
}

async function planNative(
  { simulator }: Dependencies,
  { owner, recipient, isToContract, purse, gasPrice }: Payment,
  asset: Exclude<TransferAsset, { kind: 'token' }>,
  signal?: AbortSignal,
): Promise<Plan> {
  const callFor = (gas: bigint): ContractCall => {
    const feeWei = gas * gasPrice;
    const value = asset.kind === 'native' ? asset.amountUnits : purse.nativeBalance - feeWei;
    if (value <= 0n || purse.nativeBalance < value + feeWei)
      throw nativeShort(purse.nativeBalance, (value > 0n ? value : 1n) + feeWei);
    return { to: recipient, data: '0x', value };
  };
  const kind = isToContract ? `pay ${recipient}` : 'pay';
  const limit = await simulator.gasLimit(callFor(plainTransferGas), owner, kind, signal);
  const gas = isToContract ? limit : plainTransferGas;
  return { call: callFor(gas), gas };
}

async function planTokens(
  { rpc, contracts, simulator }: Dependencies,
  { owner, recipient, purse }: Payment,
  token: Address,
  signal?: AbortSignal,
): Promise<Plan> {
  if (purse.tokenBalance === 0n) throw await tokenShort({ rpc, contracts }, token, 0n, 1n, signal);
  const call = transferCall(token, recipient, purse.tokenBalance);
  const gas = await simulator.gasLimit(call, owner, `transfer ${token}`, signal);
  const [answer] = await rpc.readAll([callOf(call, { from: owner, gas })], signal);
  // Older tokens answer nothing; some refuse by a word instead of a revert.
  const said = hexSchema.parse(requireResult(answer));
  if (size(said) > 0 && BigInt(said) === 0n) throw new KervanError('TRANSFER_FAILED');
  return { call, gas };
}
