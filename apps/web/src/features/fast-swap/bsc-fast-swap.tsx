import { FastSwap } from './fast-swap.tsx';

export function BscFastSwap() {
  return <FastSwap chain="bsc" />;
}
