import { gasTierSchema } from '@kervan/contract';
import type { GasChoice } from '@kervan/chains';

/** As a trade keeps what its transactions pay for gas: a tier's name, or a price in wei. */
export function storedGasChoice(choice: GasChoice | null): string | null {
  return choice === null ? null : String(choice);
}

export function readGasChoice(stored: string | null): GasChoice | undefined {
  if (stored === null) return undefined;
  const tier = gasTierSchema.safeParse(stored);
  return tier.success ? tier.data : BigInt(stored);
}
