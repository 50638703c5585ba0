import { FastSwap } from './fast-swap.tsx';

export function SolanaFastSwap() {
  return <FastSwap chain="solana" />;
}
