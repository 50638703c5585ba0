import type { FastifyInstance } from 'fastify';
import { routes, type BscWallet, type SolanaWallet } from '@kervan/contract';
import { register, reply } from '../../http/register.ts';
import type { Wallet } from './repository.ts';
import type { WalletsService } from './service.ts';
import { toTransaction, toTransactionDetail } from './to-transaction.ts';

export function walletRoutes(app: FastifyInstance, wallets: WalletsService): void {
  solanaWalletsRoutes(app, wallets);
  bscWalletsRoutes(app, wallets);
}

function solanaWalletsRoutes(app: FastifyInstance, wallets: WalletsService): void {
  register(app, routes.listWallets, async ({ user, query }) => {
    const { rows, total } = await wallets.page(user.id, 'solana', query);
    return reply(rows.map(toSolanaWallet), { pagination: { ...query, total } });
  });
  register(app, routes.createWallet, async ({ user, body }) =>
    toSolanaWallet(await wallets.create(user.id, 'solana', { name: body.name, keyText: body.private_key })),
  );
  register(app, routes.getWallet, async ({ user, params }) =>
    toSolanaWallet(await wallets.get(user.id, 'solana', params.id)),
  );
  register(app, routes.deleteWallet, async ({ user, params }) => {
    await wallets.remove(user.id, 'solana', params.id);
    return null;
  });
  register(app, routes.walletBalances, async ({ user }) => {
    const balances = await wallets.nativeBalances(
      user.id,
      'solana',
      await wallets.addresses(user.id, 'solana'),
    );
    return Object.fromEntries([...balances].map(([address, sol]) => [address, { sol }]));
  });
  register(app, routes.walletTokenBalances, async ({ user, query }) =>
    Object.fromEntries(
      await wallets.tokenBalances(user.id, 'solana', await wallets.addresses(user.id, 'solana'), query),
    ),
  );
  register(app, routes.walletBalance, ({ user, params }) => wallets.holdings(user.id, params.id));
  register(app, routes.walletTransactions, async ({ user, params, query }) =>
    (await wallets.transactions(user.id, params.id, query.limit)).map(toTransaction),
  );
  register(app, routes.walletTransaction, async ({ user, params }) =>
    toTransactionDetail(await wallets.transaction(user.id, params.id, params.signature)),
  );
}

function bscWalletsRoutes(app: FastifyInstance, wallets: WalletsService): void {
  register(app, routes.listBscWallets, async ({ user, query }) => {
    const { rows, total } = await wallets.page(user.id, 'bsc', query);
    return reply(rows.map(toBscWallet), { pagination: { ...query, total } });
  });
  register(app, routes.createBscWallet, async ({ user, body }) =>
    toBscWallet(await wallets.create(user.id, 'bsc', { name: body.name, keyText: body.privateKeyHex })),
  );
  register(app, routes.deleteBscWallet, async ({ user, params }) => {
    await wallets.remove(user.id, 'bsc', params.id);
    return null;
  });
  register(app, routes.bscBalances, async ({ user, query }) =>
    byLowerCase(await wallets.nativeBalances(user.id, 'bsc', query.addresses)),
  );
  register(app, routes.bscTokenBalances, async ({ user, body }) =>
    byLowerCase(await wallets.tokenBalances(user.id, 'bsc', body.addresses, body)),
  );
}

function byLowerCase(balances: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...balances].map(([address, amount]) => [address.toLowerCase(), amount]));
}

function toSolanaWallet(wallet: Wallet): SolanaWallet {
  return {
    id: wallet.id,
    name: wallet.name,
    public_key: wallet.address,
    created_at: wallet.created_at.toISOString(),
  };
}

function toBscWallet(wallet: Wallet): BscWallet {
  return {
    id: wallet.id,
    name: wallet.name,
    address: wallet.address,
    created_at: wallet.created_at.toISOString(),
  };
}
