import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createBscAdapter,
  type AttemptRef,
  type BscAdapterOptions,
  type ChainPort,
  type KeyMaterial,
  type LandedOutcome,
  type PreparedTransaction,
  type SignedTransaction,
  type SwapRequest,
} from '@kervan/chains';
import { formatUnits } from '@kervan/domain';
import { expect } from 'vitest';
import { startBscSandbox, type BscSandbox } from '../src/bsc/start.ts';
import type { Weather } from '../src/weather.ts';

export interface Harness {
  readonly sandbox: BscSandbox;
  readonly adapter: ChainPort;
  /** Another adapter on the same chain, closed with the harness. */
  connect(options?: Partial<BscAdapterOptions>): ChainPort;
  /** The address of a sandbox token by its symbol. */
  token(symbol: string): string;
  /** A new key with BNB. */
  fundedKey(bnb: bigint): Promise<KeyMaterial>;
  grant(address: string, amount: bigint, tokenAddress?: string): Promise<void>;
  setWeather(weather: Partial<Weather>): Promise<void>;
  close(): Promise<void>;
}

export const wei = 10n ** 18n;
export const gwei = 10n ** 9n;
export const clearSky: Partial<Weather> = {
  latencyMs: 0,
  tooManyRequestsRate: 0,
  dropSendRate: 0,
  loseAnswerRate: 0,
  unreachable: false,
};

export async function startHarness(): Promise<Harness> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kervan-bsc-adapter-'));
  const sandbox = await startBscSandbox({ dataDir, port: 0 });
  const adapters: ChainPort[] = [];

  function connect(options: Partial<BscAdapterOptions> = {}): ChainPort {
    const adapter = createBscAdapter({
      network: 'sandbox',
      chainId: sandbox.chainId,
      rpcUrl: sandbox.url,
      contracts: sandbox.contracts,
      gas: { floorWei: gwei, capWei: 10n * gwei },
      confirmations: 1,
      ...options,
    });
    adapters.push(adapter);
    return adapter;
  }

  async function control(method: string, route: string, body: object): Promise<void> {
    const answer = await fetch(`${sandbox.url}/sandbox/${route}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }

  async function grant(address: string, amount: bigint, tokenAddress?: string): Promise<void> {
    const body = { address, amount: String(amount), ...(tokenAddress !== undefined && { tokenAddress }) };
    await control('POST', 'faucet', body);
  }

  const adapter = connect();
  return {
    sandbox,
    adapter,
    connect,
    grant,
    token(symbol) {
      const found = sandbox.tokens.find((token) => token.symbol === symbol);
      if (!found) throw new Error(`no ${symbol}`);
      return found.address;
    },
    async fundedKey(bnb) {
      const key = await adapter.createKey();
      await grant(key.address, bnb);
      return key;
    },
    setWeather: (weather) => control('PUT', 'weather', weather),
    async close() {
      for (const opened of adapters) opened.close();
      await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface Holdings {
  readonly native: bigint;
  readonly token: bigint;
}

export async function holdings(adapter: ChainPort, address: string, token: string): Promise<Holdings> {
  const [native, tokens] = await Promise.all([
    adapter.balances([address]),
    adapter.tokenBalances([address], token),
  ]);
  return { native: native.get(address) ?? -1n, token: tokens.get(address) ?? -1n };
}

export function attemptOf(
  request: SwapRequest,
  prepared: PreparedTransaction,
  signed: SignedTransaction,
): AttemptRef & SignedTransaction {
  const { owner, action, tokenAddress } = request;
  return { ...signed, owner, action, tokenAddress, expiry: prepared.expiry };
}

export interface Step {
  readonly prepared: PreparedTransaction;
  readonly attempt: AttemptRef & SignedTransaction;
  readonly outcome: LandedOutcome;
}

/**
 * Takes a swap to its end, its approval included, and expects of each transaction that what it says it did is
 * what the wallet's balances say, to the base unit.
 */
export async function trade(adapter: ChainPort, key: KeyMaterial, request: SwapRequest): Promise<Step[]> {
  const steps: Step[] = [];
  for (;;) {
    const prepared = await adapter.prepareSwap(request);
    const step = await land(adapter, key, request, prepared);
    steps.push(step);
    if (prepared.purpose === 'swap' || step.outcome.kind === 'reverted') return steps;
  }
}

/** Signs, sends and checks one prepared transaction. */
export async function land(
  adapter: ChainPort,
  key: KeyMaterial,
  request: SwapRequest,
  prepared: PreparedTransaction,
): Promise<Step> {
  const before = await holdings(adapter, key.address, request.tokenAddress);
  const attempt = attemptOf(request, prepared, await adapter.sign(prepared, key.secret));
  const answer = await adapter.broadcast(attempt);
  if (answer.kind !== 'landed') throw new Error(`not landed: ${answer.kind}`);
  const { outcome } = answer;
  expectBalances(request, before, await holdings(adapter, key.address, request.tokenAddress), outcome);
  // However the outcome is asked for, it is the same one.
  expect(await adapter.outcome(attempt)).toEqual(outcome);
  return { prepared, attempt, outcome };
}

export function expectBalances(
  request: SwapRequest,
  before: Holdings,
  after: Holdings,
  { settlement }: LandedOutcome,
): void {
  const direction = request.action === 'buy' ? 1n : -1n;
  expect(formatUnits(after.native - before.native, 18)).toBe(
    formatUnits(-direction * settlement.nativeUnits - settlement.feeUnits, 18),
  );
  expect(after.token - before.token).toBe(direction * settlement.tokenUnits);
  expect(settlement).toMatchObject({ tipUnits: 0n, rentUnits: 0n });
}
