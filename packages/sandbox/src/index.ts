export { startBscSandbox } from './bsc/start.ts';
export { startSolanaSandbox, type SolanaSandbox } from './solana/start.ts';
export { weatherSchema, type Weather } from './weather.ts';
