import { Volume } from './volume.tsx';

export function BscVolume() {
  return <Volume chain="bsc" />;
}
