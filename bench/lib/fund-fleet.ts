import { createWalletClient, getAddress, http, parseAbi, parseEther, parseGwei, publicActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { SandboxClient } from '../../apps/server/src/engine/sandbox-client.ts';
import type { Fleet, FleetWallet } from './fleet.ts';

/** Enough for every trade of a run; on Solana with the deposit of a token account. */
const LAMPORTS = 1_000_000_000n;
const WEI = parseEther('1');

/** Solana grants under way at once. */
const GRANTS_AT_ONCE = 16;
/** BSC wallets paid by one transaction, at some 36,000 gas each. */
const WALLETS_PER_TRANSACTION = 500;
const GAS_PER_WALLET = 50_000n;

/** Gives every wallet real funds on its chain. */
export async function fundFleet(sandbox: SandboxClient, { wallets }: Fleet): Promise<void> {
  await Promise.all([fundOnSolana(sandbox, wallets.solana), fundOnBsc(sandbox, wallets.bsc)]);
}

async function fundOnSolana(sandbox: SandboxClient, wallets: readonly FleetWallet[]): Promise<void> {
  const waiting = wallets.values();
  const line = async (): Promise<void> => {
    // All lines take from the one iterator.
    for (const { address } of waiting) await sandbox.grant('solana', { address, amountUnits: LAMPORTS });
  };
  await Promise.all(Array.from({ length: GRANTS_AT_ONCE }, line));
}

const multicallAbi = parseAbi([
  'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3Value(Call[] calls) payable returns (Result[])',
]);

/** The faucet pays one account at a time, so it pays a treasurer, who pays the wallets through Multicall3. */
async function fundOnBsc(sandbox: SandboxClient, wallets: readonly FleetWallet[]): Promise<void> {
  const { contracts, chainId } = await sandbox.bsc();
  const account = privateKeyToAccount(generatePrivateKey());
  await sandbox.grant('bsc', { address: account.address, amountUnits: WEI * BigInt(wallets.length + 1) });
  const treasurer = createWalletClient({ account, transport: http(sandbox.rpcUrl('bsc')) }).extend(
    publicActions,
  );
  for (let nonce = 0; nonce * WALLETS_PER_TRANSACTION < wallets.length; nonce++) {
    const start = nonce * WALLETS_PER_TRANSACTION;
    const paid = wallets.slice(start, start + WALLETS_PER_TRANSACTION);
    const hash = await treasurer.writeContract({
      chain: { id: chainId, name: 'sandbox', nativeCurrency: BNB, rpcUrls: { default: { http: [] } } },
      type: 'legacy',
      nonce,
      gas: GAS_PER_WALLET * BigInt(paid.length + 1),
      gasPrice: parseGwei('1'),
      address: getAddress(contracts.multicall3),
      abi: multicallAbi,
      functionName: 'aggregate3Value',
      args: [
        paid.map(({ address }) => ({
          target: getAddress(address),
          allowFailure: false,
          value: WEI,
          callData: '0x' as const,
        })),
      ],
      value: WEI * BigInt(paid.length),
    });
    const { status } = await treasurer.getTransactionReceipt({ hash });
    if (status !== 'success') throw new Error('The wallets could not be paid');
  }
}

const BNB = { name: 'BNB', symbol: 'BNB', decimals: 18 };
