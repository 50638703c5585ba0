import { findNetwork, type ChainPort } from '@kervan/chains';
import { expect, test, vi } from 'vitest';
import { createNetworkConnection } from './network-connection.ts';

function openConnection(connect: () => Promise<ChainPort>) {
  const known = findNetwork('bsc', 'mainnet');
  if (!known) throw new Error('BSC has a main network');
  return createNetworkConnection({ known, connect, verifyEveryMs: 10_000, retryMs: 20, retryMaxMs: 80 });
}

test('a node that stays away is asked ever less often, down to the longest pause', async () => {
  const triedAt: number[] = [];
  const connection = openConnection(() => {
    triedAt.push(performance.now());
    return Promise.reject(new Error('nobody is there'));
  });
  await vi.waitFor(() => expect(triedAt.length).toBeGreaterThanOrEqual(6), { interval: 5 });
  connection.close();

  const pauses = triedAt.slice(1).map((at, index) => at - (triedAt[index] ?? at));
  // Timers may fire a millisecond early.
  for (const [index, least] of [20, 40, 80, 80, 80].entries())
    expect(pauses[index]).toBeGreaterThanOrEqual(least - 1);
  expect(connection.problem()).toBe('nobody is there');
});

test('a network that was never reached is called by its chain and its own name', () => {
  const connection = openConnection(() => Promise.reject(new Error('nobody is there')));
  expect(() => connection.port()).toThrow('The node of BSC mainnet does not answer.');
  connection.close();
});
