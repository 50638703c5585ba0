export * from './networks.ts';
export type * from './port.ts';
export { printable } from './printable.ts';
export { createSolanaAdapter, type SolanaAdapterOptions } from './solana/adapter.ts';
export { createBscAdapter, type BscAdapterOptions } from './bsc/adapter.ts';
export { BSC_CONTRACTS, type BscContractAddresses } from './bsc/contracts.ts';
export type { GasPolicy, GasTier } from './bsc/gas-price.ts';
