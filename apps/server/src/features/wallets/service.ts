import {
  KervanError,
  NATIVE,
  type Chain,
  type Network,
  type Page,
  type WalletBalance,
} from '@kervan/contract';
import type { HistoryEntry, TransactionDetail } from '@kervan/chains';
import type { Database } from '@kervan/database';
import { formatUnits } from '@kervan/domain';
import { chosenPort } from '../../engine/chosen-port.ts';
import type { Networks } from '../../engine/networks.ts';
import type { PriceSource } from '../../engine/price-source.ts';
import { findStablecoin } from '../../engine/stablecoins.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { Vault } from '../../vault/vault.ts';
import { createWalletsRepository, type Wallet } from './repository.ts';
import { toWalletBalance } from './wallet-balance.ts';

interface Dependencies {
  readonly db: Database;
  readonly vault: Pick<Vault, 'seal'>;
  readonly networks: Pick<Networks, 'keys' | 'verifiedPort' | 'sandbox'>;
  readonly prices: PriceSource;
}

export type WalletsService = ReturnType<typeof createWalletsService>;

/** The wallets of both chains. Balances are those of the network that the user has chosen for the chain, unless named. */
export function createWalletsService({ db, vault, networks, prices }: Dependencies) {
  const wallets = createWalletsRepository(db);

  const currentPort = (userId: string, chain: Chain) => chosenPort({ db, networks }, userId, chain);

  async function get(userId: string, chain: Chain, id: string): Promise<Wallet> {
    const wallet = await wallets.find(userId, chain, id);
    if (!wallet) throw new KervanError('WALLET_NOT_FOUND');
    return wallet;
  }

  /** Seals the key that was pasted, or one made here, which then never was outside the vault. */
  async function create(
    userId: string,
    chain: Chain,
    { name, keyText }: { name: string; keyText: string | undefined },
  ): Promise<Wallet> {
    const keys = networks.keys(chain);
    const { address, secret } =
      keyText === undefined ? await keys.createKey() : await keys.importKey(keyText);
    try {
      const id = uuidv7();
      const { sealedKey, wrappedDataKey } = vault.seal({ userId, walletId: id, chain }, secret);
      const wallet = await wallets.insert({
        id,
        user_id: userId,
        chain,
        name,
        address,
        sealed_key: sealedKey,
        wrapped_data_key: wrappedDataKey,
      });
      if (wallet) return wallet;
      const earlier = await wallets.findByAddress(userId, chain, address);
      throw new KervanError('WALLET_EXISTS', { name: earlier?.name ?? name });
    } finally {
      secret.fill(0);
    }
  }

  async function remove(userId: string, chain: Chain, id: string): Promise<void> {
    const deletion = await wallets.delete(userId, chain, id);
    if (deletion.kind === 'missing') throw new KervanError('WALLET_NOT_FOUND');
    if (deletion.kind === 'funds-session') throw new KervanError('WALLET_FUNDS_VOLUME');
    if (deletion.kind === 'in-use')
      throw new KervanError('WALLET_IN_USE', { bots: deletion.bots, trades: deletion.trades });
  }

  /** Address → native amount as decimal text, for addresses of anyone. */
  async function nativeBalances(
    userId: string,
    chain: Chain,
    addresses: readonly string[],
  ): Promise<Map<string, string>> {
    if (addresses.length === 0) return new Map();
    const port = await currentPort(userId, chain);
    return inDecimals(await port.balances(addresses), NATIVE[chain].decimals);
  }

  /** Address → amount of one token as decimal text. Throws TOKEN_ADDRESS_INVALID, TOKEN_NOT_FOUND. */
  async function tokenBalances(
    userId: string,
    chain: Chain,
    addresses: readonly string[],
    { tokenAddress, network }: { tokenAddress: string; network?: Network | undefined },
  ): Promise<Map<string, string>> {
    const port = network
      ? await networks.verifiedPort(chain, network, userId)
      : await currentPort(userId, chain);
    const token = await port.describeToken(tokenAddress);
    if (addresses.length === 0) return new Map();
    return inDecimals(await port.tokenBalances(addresses, token.address), token.decimals);
  }

  /** What a Solana wallet holds on the chosen network; only its coins and stablecoins have a price. */
  async function holdings(userId: string, id: string): Promise<WalletBalance> {
    const { address } = await get(userId, 'solana', id);
    const port = await currentPort(userId, 'solana');
    const [balances, held = [], price, stablecoin] = await Promise.all([
      port.balances([address]),
      port.holdings?.(address),
      prices.nativePriceUsd('solana', port.network),
      findStablecoin('solana', port.network, networks.sandbox),
    ]);
    const lamports = balances.get(address) ?? 0n;
    return toWalletBalance({ lamports, holdings: held, price, stablecoin });
  }

  /** What the chosen network knows of a Solana wallet's latest transactions. */
  async function transactions(userId: string, id: string, limit: number): Promise<HistoryEntry[]> {
    const { address } = await get(userId, 'solana', id);
    const { history } = await currentPort(userId, 'solana');
    return (await history?.list(address, limit)) ?? [];
  }

  async function transaction(userId: string, id: string, txId: string): Promise<TransactionDetail> {
    const { address } = await get(userId, 'solana', id);
    const { history } = await currentPort(userId, 'solana');
    const found = await history?.find(txId, address);
    if (!found) throw new KervanError('TRANSACTION_NOT_FOUND');
    return found;
  }

  return {
    page: (userId: string, chain: Chain, page: Page) => wallets.page(userId, chain, page),
    addresses: (userId: string, chain: Chain) => wallets.addresses(userId, chain),
    get,
    create,
    remove,
    nativeBalances,
    tokenBalances,
    holdings,
    transactions,
    transaction,
  };
}

function inDecimals(balances: ReadonlyMap<string, bigint>, decimals: number): Map<string, string> {
  return new Map([...balances].map(([address, units]) => [address, formatUnits(units, decimals)]));
}
