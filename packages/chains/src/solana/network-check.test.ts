import { describe, expect, it } from 'vitest';
import { createNetworkCheck } from './network-check.ts';
import { createRpc } from './rpc.ts';

function checkOf(expected: string | null) {
  const node = { genesisHash: 'right', asked: 0 };
  const time = { now: 0 };
  const rpc = createRpc({
    url: new URL('http://node.example'),
    service: 'Solana test',
    http: async () => {
      node.asked += 1;
      return { status: 200, text: JSON.stringify({ jsonrpc: '2.0', id: '1', result: node.genesisHash }) };
    },
  });
  const check = createNetworkCheck({ rpc, genesisHash: expected, maxAgeMs: 5_000, clock: () => time.now });
  return { node, time, check };
}

const mismatch = { code: 'NETWORK_MISMATCH', context: { expected: 'right', actual: 'wrong' } };

describe('createNetworkCheck', () => {
  it('finds a node that was swapped within five seconds of its last right answer', async () => {
    const { node, time, check } = checkOf('right');
    await check.recent();
    node.genesisHash = 'wrong';
    time.now = 5_000;
    await check.recent();
    expect(node.asked).toBe(1);
    time.now = 5_001;
    await expect(check.recent()).rejects.toMatchObject(mismatch);
  });

  it('remembers no right answer once a wrong one came', async () => {
    const { node, check } = checkOf('right');
    await check.now();
    node.genesisHash = 'wrong';
    await expect(check.now()).rejects.toMatchObject(mismatch);
    await expect(check.recent()).rejects.toMatchObject(mismatch);
  });

  it('knows what the node last said of itself, right or wrong', async () => {
    const { node, check } = checkOf('right');
    expect(check.proven()).toBeUndefined();
    await check.now();
    expect(check.proven()).toBe('right');
    node.genesisHash = 'wrong';
    await expect(check.now()).rejects.toMatchObject(mismatch);
    expect(check.proven()).toBe('wrong');
  });

  it('shows no more of a node’s word than can be stored', async () => {
    const { node, check } = checkOf('right');
    node.genesisHash = `wrong\0${'x'.repeat(999)}`;
    await expect(check.now()).rejects.toMatchObject({ context: { actual: `wrong${'x'.repeat(194)}` } });
  });

  it('accepts any network where none is expected', async () => {
    const { check } = checkOf(null);
    await expect(check.now()).resolves.toBeUndefined();
  });
});
