import { keccak256, parseEther, toBytes, type Address, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { chainId } from './anvil.ts';

/**
 * The account that deploys the sandbox, owns its token supplies and pays out faucet grants. Its key is public
 * and the same everywhere, which makes every contract address the same in every sandbox; chain id 31337 keeps
 * its transactions from being replayed on a live chain.
 */
const account = privateKeyToAccount(keccak256(toBytes('kervan sandbox treasury')));

export const treasuryAddress: Address = account.address;

/** Enough for every pool and for any faucet grant. */
export const treasuryWei = parseEther('1000000000000');

export const minimumGasPriceWei = 1_000_000_000n;

/** Signs a legacy transaction of the treasury; without `to` it creates a contract. */
export function signAsTreasury(transaction: {
  nonce: number;
  gas: bigint;
  to?: Address;
  value?: bigint;
  data?: Hex;
}): Promise<Hex> {
  return account.signTransaction({
    type: 'legacy',
    chainId,
    gasPrice: minimumGasPriceWei,
    ...transaction,
  });
}
