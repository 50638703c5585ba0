import { afterEach, expect, test, vi } from 'vitest';
import { LIVE_SERVICES } from './live-nodes.ts';
import { liveSolana } from './network-ports.ts';

const liveOptions = (network: 'devnet' | 'mainnet', jupiterApiKey: string | undefined) => ({
  node: LIVE_SERVICES.publicNode('solana', network),
  jupiterUrl: LIVE_SERVICES.jupiterUrl,
  jupiterApiKey,
  blockEngineUrl: LIVE_SERVICES.blockEngineUrl,
});

const swap = {
  owner: '11111111111111111111111111111111',
  action: 'buy',
  tokenAddress: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  amountInUnits: 1_000n,
  slippageBps: 50,
} as const;

afterEach(() => {
  vi.unstubAllGlobals();
});

test('devnet is never given a swap that was composed for mainnet', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>();
  vi.stubGlobal('fetch', fetch);
  const port = liveSolana('devnet', liveOptions('devnet', 'key'));
  await expect(port.quote(swap)).rejects.toMatchObject({
    code: 'ROUTE_UNAVAILABLE',
    context: { reason: 'no swap service is set up for Solana devnet' },
  });
  expect(fetch).not.toHaveBeenCalled();
});

test('trades can land together on mainnet, whose block engine no other network has', () => {
  expect(liveSolana('mainnet', liveOptions('mainnet', undefined)).bundles).toBeDefined();
  expect(liveSolana('devnet', liveOptions('devnet', undefined)).bundles).toBeUndefined();
});

test('the key for the swap service goes to it alone, and only where there is one', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json({}));
  vi.stubGlobal('fetch', fetch);
  for (const key of ['key', undefined]) {
    const port = liveSolana('mainnet', liveOptions('mainnet', key));
    await expect(port.quote(swap)).rejects.toMatchObject({ code: 'NETWORK_UNREACHABLE' });
    await expect(port.verifyNetwork()).rejects.toMatchObject({ code: 'NETWORK_UNREACHABLE' });
  }
  const sent = fetch.mock.calls.map(([url, init]) => [
    url instanceof URL && url.hostname,
    new Headers(init?.headers).get('x-api-key'),
  ]);
  expect(sent).toEqual([
    ['api.jup.ag', 'key'],
    ['api.mainnet-beta.solana.com', null],
    ['api.jup.ag', null],
    ['api.mainnet-beta.solana.com', null],
  ]);
});
