import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Chain } from '@kervan/contract';
import { createBscAdapter, createSolanaAdapter, type ChainPort, type KeyMaterial } from '@kervan/chains';
import { startBscSandbox, startSolanaSandbox } from '@kervan/sandbox';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TradeIntent, TransferIntent } from '../src/engine/intent.ts';
import { uuidv7 } from '../src/lib/ids.ts';
import { attemptsOf, makeExecutor, makeIntent, makeWallet, plan, trade, userId } from './executor-fixture.ts';

// The real adapters on the real local chains, through a node that says that it serves another network.

const MAINNET = { solana: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', bsc: '0x38' };
const IDENTITY = /"method":"(getGenesisHash|eth_chainId)"/;

interface Node {
  readonly url: string;
  /** What it claims to be, whatever it is; undefined is the truth. */
  claim: string | undefined;
  readonly sends: string[];
  close(): Promise<void>;
}

const GRANT = { solana: 1_000_000_000n, bsc: 10n ** 18n };

let dataDir: string;
let solana: Awaited<ReturnType<typeof startSolanaSandbox>>;
let bsc: Awaited<ReturnType<typeof startBscSandbox>>;
let nodes: Record<Chain, Node>;
let ports: Record<Chain, ChainPort>;
let keys: Record<Chain, KeyMaterial>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kervan-lying-node-'));
  [solana, bsc] = await Promise.all([
    startSolanaSandbox({ dataDir, port: 0 }),
    startBscSandbox({ dataDir, port: 0 }),
  ]);
  nodes = { solana: await nodeBefore(solana.url), bsc: await nodeBefore(bsc.url) };
  const gas = { floorWei: 10n ** 9n, capWei: 10n ** 11n };
  ports = {
    solana: createSolanaAdapter({
      network: 'sandbox',
      rpcUrl: nodes.solana.url,
      jupiterUrl: solana.url,
      swapPrograms: solana.programs,
      genesisHash: null,
    }),
    bsc: createBscAdapter({
      network: 'sandbox',
      chainId: bsc.chainId,
      rpcUrl: nodes.bsc.url,
      contracts: bsc.contracts,
      gas,
      confirmations: 1,
    }),
  };
  keys = { solana: await ports.solana.createKey(), bsc: await ports.bsc.createKey() };
  for (const [chain, { url }] of [
    ['solana', solana],
    ['bsc', bsc],
  ] as const) {
    const body = JSON.stringify({ address: keys[chain].address, amount: String(GRANT[chain]) });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/sandbox/faucet`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
  }
});

afterAll(async () => {
  ports.solana.close();
  ports.bsc.close();
  await Promise.all([nodes.solana.close(), nodes.bsc.close()]);
  await Promise.all([solana.close(), bsc.close()]);
  await rm(dataDir, { recursive: true });
});

/** Passes everything on but the question which network this is. */
async function nodeBefore(target: string): Promise<Node> {
  const sends: string[] = [];
  const server: Server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      if (/"(sendTransaction|eth_sendRaw\w+)"/.test(body)) sends.push(body);
      const headers = { 'content-type': 'application/json' };
      const answer: unknown = await (await fetch(target, { method: 'POST', headers, body })).json();
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(IDENTITY.test(body) ? disguised(JSON.parse(body), answer) : answer));
    })();
  });
  function disguised(asked: unknown, answer: unknown): unknown {
    if (node.claim === undefined) return answer;
    if (!Array.isArray(asked)) return { ...Object(answer), result: node.claim };
    const index = asked.findIndex((call) => IDENTITY.test(JSON.stringify(call)));
    return Array.isArray(answer)
      ? answer.map((each: object) =>
          'id' in each && each.id === asked[index].id ? { ...each, result: node.claim } : each,
        )
      : answer;
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const node: Node = {
    url: `http://127.0.0.1:${address.port}`,
    claim: undefined,
    sends,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return node;
}

async function makeWish(chain: Chain, kind: 'swap' | 'transfer'): Promise<TradeIntent> {
  const wallet = await makeWallet(chain, keys[chain].address);
  const tokens = chain === 'solana' ? solana.tokens : bsc.tokens;
  const token = tokens.find(({ symbol }) => symbol === 'USDC' || symbol === 'sUSD');
  if (!token) throw new Error('no token');
  if (kind === 'swap') {
    const amountInUnits = GRANT[chain] / 100n;
    return await makeIntent(chain, { source: 'volume', wallet, token, amountInUnits, slippageBps: 500 });
  }
  const transfer: TransferIntent = {
    kind,
    idempotencyKey: uuidv7(),
    userId,
    wallet,
    chain,
    network: 'sandbox',
    source: 'volume',
    sourceId: null,
    sourceName: null,
    recipient: (await ports[chain].createKey()).address,
    asset: { kind: 'native', amountUnits: GRANT[chain] / 100n },
  };
  return transfer;
}

describe.each(['solana', 'bsc'] as const)('a volume session whose %s node', (chain) => {
  const executorWith = (at: { prepared: () => void }) =>
    makeExecutor({
      port: () => ports[chain],
      readKey: () => Promise.resolve({ use: (sign) => sign(keys[chain].secret) }),
      checkpoint: (reached) => {
        if (reached === 'prepared') at.prepared();
      },
    });
  const honest = { prepared: () => {} };

  test.each(['swap', 'transfer'] as const)('is the sandbox has its %s made', async (kind) => {
    nodes[chain].claim = undefined;
    await ports[chain].verifyNetwork();
    const row = await trade(executorWith(honest), await makeWish(chain, kind));
    expect(row).toMatchObject({ kind, state: 'success', error_code: null });
  });

  test.each(['swap', 'transfer'] as const)(
    'claims to be mainnet has its %s not even planned',
    async (kind) => {
      nodes[chain].claim = MAINNET[chain];
      await ports[chain].verifyNetwork().catch(() => {});
      await expect(plan(executorWith(honest), await makeWish(chain, kind))).rejects.toMatchObject({
        code: 'VOLUME_LIVE_NETWORK',
      });
    },
  );

  test.each(['swap', 'transfer'] as const)(
    'claims to be mainnet after planning has its %s neither signed nor sent',
    async (kind) => {
      nodes[chain].claim = undefined;
      await ports[chain].verifyNetwork();
      const before = nodes[chain].sends.length;
      const signed = vi.spyOn(ports[chain], 'sign');
      const executor = executorWith({ prepared: () => (nodes[chain].claim = MAINNET[chain]) });
      const row = await trade(executor, await makeWish(chain, kind));
      expect(row).toMatchObject({ state: 'cancelled', error_code: 'VOLUME_LIVE_NETWORK' });
      expect(await attemptsOf(row.id)).toEqual([]);
      expect(signed).not.toHaveBeenCalled();
      expect(nodes[chain].sends).toHaveLength(before);
      signed.mockRestore();
    },
  );
});
