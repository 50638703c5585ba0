import { Volume } from './volume.tsx';

export function SolanaVolume() {
  return <Volume chain="solana" />;
}
