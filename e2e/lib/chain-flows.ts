import { address, createSolanaRpc, signature } from '@solana/kit';
import { createPublicClient, getAddress, hexToBigInt, http, isHash, toEventSelector, type Hex } from 'viem';
import type { LandedTransaction } from './chain-record.ts';

/** Where the native coin of some wallets went, by the chain's own record of their transactions. */
export interface Flows {
  /** What the network took for them, failed ones included. */
  readonly feeUnits: bigint;
  /** What the pools gained: what swaps cost the wallets together. */
  readonly poolUnits: bigint;
  /** What lies in token accounts that are still open. Always 0 on BSC. */
  readonly depositUnits: bigint;
}

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');

export async function solanaFlows(rpcUrl: string, landed: readonly LandedTransaction[]): Promise<Flows> {
  const rpc = createSolanaRpc(rpcUrl);
  const owners = new Set(landed.map(({ owner }) => owner));
  let [feeUnits, poolUnits, depositUnits] = [0n, 0n, 0n];

  for (const { txId } of landed) {
    const found = await rpc
      .getTransaction(signature(txId), {
        commitment: 'confirmed',
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
      })
      .send();
    if (!found?.meta) throw new Error(`${txId} is not on the chain any more`);
    const { fee, preTokenBalances = [], postTokenBalances = [] } = found.meta;
    const pools = (balances: typeof preTokenBalances) =>
      balances
        .filter(({ mint, owner }) => mint === WRAPPED_SOL && owner !== undefined && !owners.has(owner))
        .reduce((sum, { uiTokenAmount }) => sum + BigInt(uiTokenAmount.amount), 0n);
    feeUnits += fee;
    poolUnits += pools(postTokenBalances) - pools(preTokenBalances);
  }
  for (const owner of owners) {
    const { value } = await rpc
      .getTokenAccountsByOwner(
        address(owner),
        { programId: TOKEN_PROGRAM },
        { commitment: 'confirmed', encoding: 'base64' },
      )
      .send();
    depositUnits += value.reduce((sum, { account }) => sum + account.lamports, 0n);
  }
  return { feeUnits, poolUnits, depositUnits };
}

const DEPOSIT = toEventSelector('Deposit(address,uint256)');
const WITHDRAWAL = toEventSelector('Withdrawal(address,uint256)');

/** BNB comes to the pools as WBNB: what the routers wrapped for the wallets, less what they unwrapped. */
export async function bscFlows(
  rpcUrl: string,
  landed: readonly LandedTransaction[],
  wbnb: string,
): Promise<Flows> {
  const client = createPublicClient({ transport: http(rpcUrl, { batch: true }), cacheTime: 0 });
  let [feeUnits, poolUnits] = [0n, 0n];
  for (const { txId } of landed) {
    if (!isHash(txId)) throw new Error(`${txId} is no transaction hash`);
    const receipt = await client.getTransactionReceipt({ hash: txId });
    feeUnits += receipt.gasUsed * receipt.effectiveGasPrice;
    const wrapped = (topic: Hex) =>
      receipt.logs
        .filter((log) => getAddress(log.address) === getAddress(wbnb) && log.topics[0] === topic)
        .reduce((sum, { data }) => sum + hexToBigInt(data), 0n);
    poolUnits += wrapped(DEPOSIT) - wrapped(WITHDRAWAL);
  }
  return { feeUnits, poolUnits, depositUnits: 0n };
}
