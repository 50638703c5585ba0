import { NATIVE, type WalletBalance } from '@kervan/contract';
import type { TokenHolding } from '@kervan/chains';
import { formatUnits, parsePrice, PRICE_DECIMALS, USD_DECIMALS, usdMicros } from '@kervan/domain';
import type { NativePrice } from '../../engine/price-source.ts';
import type { Stablecoin } from '../../engine/stablecoins.ts';

/** What a stablecoin is taken for, as a price. */
const ONE_DOLLAR = 10n ** BigInt(PRICE_DECIMALS);

/** What a Solana wallet holds, and the worth of its SOL and stablecoins where a price is known. */
export function toWalletBalance(wallet: {
  readonly lamports: bigint;
  readonly holdings: readonly TokenHolding[];
  readonly price: NativePrice | null;
  readonly stablecoin: Stablecoin | undefined;
}): WalletBalance {
  const { lamports, holdings, price, stablecoin } = wallet;
  const worth = (price && stablecoin && worthMicros(lamports, holdings, price, stablecoin)) ?? null;
  return {
    sol: formatUnits(lamports, NATIVE.solana.decimals),
    tokens: holdings.map(({ token, units }) => ({
      mint: token.address,
      amount: String(units),
      decimals: token.decimals,
      uiAmount: formatUnits(units, token.decimals),
      symbol: token.symbol,
      name: token.name,
    })),
    totalUsdValue: worth === null ? null : formatUnits(worth, USD_DECIMALS),
    priceAt: worth === null ? null : (price?.at.toISOString() ?? null),
  };
}

function worthMicros(
  lamports: bigint,
  holdings: readonly TokenHolding[],
  price: NativePrice,
  { address, decimals }: Stablecoin,
): bigint | undefined {
  const priceUnits = parsePrice(price.price);
  if (priceUnits === undefined) return undefined;
  const dollars = holdings.find(({ token }) => token.address === address)?.units ?? 0n;
  return usdMicros(lamports, NATIVE.solana.decimals, priceUnits) + usdMicros(dollars, decimals, ONE_DOLLAR);
}
