export * from './fast-swap.ts';
export * from './limits.ts';
export * from './money.ts';
export * from './schedule.ts';
export * from './trade.ts';
export * from './volume.ts';
export * from './usd.ts';
