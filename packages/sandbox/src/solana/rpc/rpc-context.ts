import type { WeatherStation } from '../../weather.ts';
import type { Chain } from '../chain.ts';
import type { Faucet } from '../faucet.ts';
import type { RpcParams } from './params.ts';

/** What RPC methods work on. */
export interface RpcContext {
  chain: Chain;
  faucet: Faucet;
  weather: WeatherStation;
}

export type RpcMethod = (params: RpcParams) => unknown;
export type RpcMethods = Readonly<Record<string, RpcMethod>>;

/** Thrown by a method whose answer the weather takes away: the connection is cut without one. */
export class LostAnswer extends Error {
  constructor() {
    super('The weather took this answer');
    this.name = 'LostAnswer';
  }
}

/** A value with the slot it was read at, as most methods answer. */
export function withContext(chain: Chain, value: unknown): unknown {
  return { context: { apiVersion: apiVersion, slot: chain.clock.slot }, value };
}

/** The Agave release whose behaviour is followed. */
export const apiVersion = '2.3.0';
