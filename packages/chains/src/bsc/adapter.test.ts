import { createServer } from 'node:http';
import { once } from 'node:events';
import { concat, pad, type Hex } from 'viem';
import { afterEach, expect, it } from 'vitest';
import { createBscAdapter } from './adapter.ts';
import { BSC_CONTRACTS } from './contracts.ts';

const ending: (() => void)[] = [];
afterEach(() => {
  for (const end of ending.splice(0)) end();
});

const someone = '0x2222222222222222222222222222222222222222';

/** The port of a network whose node answers the same to everything. */
async function portTo(result: unknown) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, result })));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const port = createBscAdapter({
    network: 'testnet',
    chainId: 97,
    rpcUrl: `http://127.0.0.1:${address.port}`,
    contracts: BSC_CONTRACTS[97],
    gas: { floorWei: 1n, capWei: 10n },
    confirmations: 1,
  });
  ending.push(() => {
    port.close();
    server.closeAllConnections();
    server.close();
  });
  return port;
}

const wrong: [what: string, result: unknown][] = [
  ['nothing where something must be', '0x'],
  ['an address for a list', pad(someone)],
  ['a place beyond all numbers', `0x${'f'.repeat(128)}` satisfies Hex],
  ['a list of more than there is', concat([pad('0x20'), pad('0xffffff')])],
  ['a number', 7],
];

it.each(wrong)('a node that answers %s can’t be asked', async (_, result) => {
  const port = await portTo(result);
  const unreachable = { code: 'NETWORK_UNREACHABLE', context: { network: expect.any(String) } };
  await expect(port.balances([someone])).rejects.toMatchObject(unreachable);
  await expect(port.tokenBalances([someone], someone)).rejects.toMatchObject(unreachable);
  await expect(port.describeToken(someone)).rejects.toMatchObject(unreachable);
});

it('who gives up is told so, and not that the node can’t be asked', async () => {
  const port = await portTo('0x');
  await expect(port.balances([someone], AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
});
