import { createHash } from 'node:crypto';
import { createKeyPairSignerFromPrivateKeyBytes, type Address, type KeyPairSigner } from '@solana/kit';
import { AccountState, getMintEncoder, getTokenEncoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { addressOf } from './addresses.ts';
import { associatedAccount } from './associated-account.ts';
import { findPoolAddress, poolAccount, type Pool } from './amm.ts';
import { readAmmProgram } from './amm-program.ts';
import type { Runtime, StoredAccount } from './runtime.ts';
import { tipAccounts } from './tip-accounts.ts';
import { tokenPlans, wrappedSolMint, type SandboxToken, type TokenPlan } from './tokens.ts';

const lamportsPerSol = 1_000_000_000n;
const systemProgram = addressOf(new Uint8Array(32));
/** 9 million SOL, and little enough for a double to hold exactly. */
const faucetLamports = 9_000_000n * lamportsPerSol;

/** Names this network, as the live clusters' genesis hashes name them; the same at every start. */
export const genesisHash = addressOf(secretOf('genesis'));

/** What the sandbox starts from. The same at every start: keys and addresses come from fixed seeds. */
export interface Genesis {
  ammProgram: Address;
  /** Pays faucet grants in SOL. */
  faucet: KeyPairSigner;
  /** Mints faucet grants in tokens. */
  mintAuthority: KeyPairSigner;
  tokens: SandboxToken[];
  /** Pools against SOL by token mint. */
  pools: ReadonlyMap<Address, Pool>;
  /** Writes the genesis accounts that are missing: all at first, later those a new release adds. */
  write(runtime: Runtime): void;
  /** Loads the AMM program, which is taken from the code at each start. */
  loadProgram(runtime: Runtime): void;
}

/** Derives the genesis; nothing in it is secret, and none of its keys exists on a live network. */
export async function createGenesis(): Promise<Genesis> {
  const [program, ammSigner, faucet, mintAuthority, freezeAuthority] = await Promise.all([
    readAmmProgram(),
    signerOf('amm program'),
    signerOf('faucet'),
    signerOf('mint authority'),
    signerOf('freeze authority'),
  ]);
  const ammProgram = ammSigner.address;
  const tokens: SandboxToken[] = [
    { address: wrappedSolMint, symbol: 'WSOL', name: 'Wrapped SOL', decimals: 9 },
  ];
  const pools = new Map<Address, Pool>();
  const markets: { plan: TokenPlan; mint: Address; pool: Pool }[] = [];
  for (const plan of tokenPlans) {
    const mint = (await signerOf(`mint ${plan.symbol}`)).address;
    const [address, bump] = await findPoolAddress(ammProgram, wrappedSolMint, mint);
    const [vaultA, vaultB] = await Promise.all([
      associatedAccount(address, wrappedSolMint),
      associatedAccount(address, mint),
    ]);
    const pool = { address, bump, mintA: wrappedSolMint, mintB: mint, vaultA, vaultB };
    tokens.push({ address: mint, symbol: plan.symbol, name: plan.name, decimals: plan.decimals });
    pools.set(mint, pool);
    markets.push({ plan, mint, pool });
  }

  return {
    ammProgram,
    faucet,
    mintAuthority,
    tokens,
    pools,
    loadProgram: (runtime) => runtime.loadProgram(ammProgram, program),
    write(runtime) {
      const put = (address: Address, account: StoredAccount): void => {
        if (!runtime.account(address)) runtime.put(address, account);
      };
      put(faucet.address, wallet(faucetLamports));
      // An account that does not exist could not take a tip below the rent minimum.
      for (const tipAccount of tipAccounts) put(tipAccount, wallet(lamportsPerSol));
      for (const { plan, mint, pool } of markets) {
        const reserveSol = plan.poolSol * lamportsPerSol;
        const reserveTokens = plan.poolTokens * 10n ** BigInt(plan.decimals);
        const rent = (bytes: number): bigint => runtime.rentExemption(bytes);
        put(mint, {
          ...tokenProgramAccount(
            getMintEncoder().encode({
              mintAuthority: mintAuthority.address,
              supply: reserveTokens,
              decimals: plan.decimals,
              isInitialized: true,
              freezeAuthority: plan.isFreezable ? freezeAuthority.address : null,
            }),
          ),
          lamports: rent(82),
        });
        put(pool.address, poolAccount(ammProgram, pool, rent(137)));
        put(pool.vaultA, {
          ...tokenProgramAccount(tokenAccountBytes(wrappedSolMint, pool.address, reserveSol, rent(165))),
          lamports: rent(165) + reserveSol,
        });
        put(pool.vaultB, {
          ...tokenProgramAccount(tokenAccountBytes(mint, pool.address, reserveTokens, null)),
          lamports: rent(165),
        });
      }
    },
  };
}

function wallet(lamports: bigint): StoredAccount {
  return { lamports, owner: systemProgram, data: new Uint8Array(), executable: false };
}

function tokenAccountBytes(
  mint: Address,
  owner: Address,
  amount: bigint,
  nativeReserve: bigint | null,
): ArrayLike<number> {
  return getTokenEncoder().encode({
    mint,
    owner,
    amount,
    delegate: null,
    state: AccountState.Initialized,
    isNative: nativeReserve,
    delegatedAmount: 0n,
    closeAuthority: null,
  });
}

function tokenProgramAccount(data: ArrayLike<number>): Omit<StoredAccount, 'lamports'> {
  return { owner: TOKEN_PROGRAM_ADDRESS, data: Uint8Array.from(data), executable: false };
}

function secretOf(purpose: string): Buffer {
  return createHash('sha256').update(`kervan sandbox ${purpose}`).digest();
}

function signerOf(purpose: string): Promise<KeyPairSigner> {
  return createKeyPairSignerFromPrivateKeyBytes(secretOf(purpose));
}
