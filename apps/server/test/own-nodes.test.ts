import dns from 'node:dns';
import { NETWORKS } from '@kervan/chains';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { LIVE_SERVICES, type LiveServices } from '../src/engine/live-nodes.ts';
import { createUserNodes } from '../src/engine/user-nodes.ts';
import { serveNode, type FakeService } from './fake-service.ts';
import { codeOf, startTestServer, type TestServer } from './harness.ts';

const KEY = 'b7f2c6d0-1234-5678-9abc-9e1d40aa77c3';
const DEVNET = NETWORKS.find(({ chain, network }) => chain === 'solana' && network === 'devnet');
const genesisHash = DEVNET && 'genesisHash' in DEVNET ? DEVNET.genesisHash : null;

let provider: FakeService;
let testnetNode: FakeService;
let server: TestServer;

beforeAll(async () => {
  provider = await serveNode({ getGenesisHash: genesisHash }, ({ url }) =>
    url.includes('wrong-key') ? 401 : 200,
  );
  testnetNode = await serveNode({ eth_chainId: '0x61' });
  const live: LiveServices = {
    ...LIVE_SERVICES,
    providerNode: (network, key) => ({ rpcUrl: `${provider.url}/${network}?api-key=${key}` }),
    // Nobody here may be asked in a test.
    publicNode: () => ({ rpcUrl: 'http://127.0.0.1:1' }),
  };
  server = await startTestServer({ isWorking: false, live });
});
afterAll(() => server.stop());

describe('the Solana provider key', () => {
  test('is asked of its provider, kept sealed, and shown as its first and last 4 characters', async () => {
    const user = await server.registerUser();
    const body = { solana: { network: 'devnet', providerKey: ` ${KEY} ` } } as const;
    const { data } = await user.call('updateSettings', { body });
    expect(data.solana).toMatchObject({ network: 'devnet', providerKey: 'b7f2…77c3' });
    expect((await user.call('getSettings')).data).toEqual(data);
    expect(provider.asked.at(-1)?.url).toBe(`/devnet?api-key=${KEY}`);

    const stored = await server.db.selectFrom('user_nodes').selectAll().execute();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(KEY);
    expect(stored[0]?.sealed_value.includes(KEY)).toBe(false);
    expect(server.logged()).not.toContain(KEY);
  });

  test('serves its own user from then on, and not before nor anyone else', async () => {
    const [user, other] = [await server.registerUser(), await server.registerUser()];
    const { networks } = server.services;
    const nodeOf = (userId: string) => networks.node('solana', 'devnet', userId).rpcUrl;
    expect(nodeOf(user.id)).toBe('http://127.0.0.1:1');
    await user.call('updateSettings', { body: { solana: { network: 'devnet', providerKey: KEY } } });
    expect(nodeOf(user.id)).toContain(KEY);
    expect(nodeOf(other.id)).toBe('http://127.0.0.1:1');
    expect((await networks.verifiedPort('solana', 'devnet', user.id)).network).toBe('devnet');
    const shown = await user.call('listNetworks');
    expect(shown.data.find(({ network }) => network === 'devnet')).toMatchObject({ problem: null });

    const second = KEY.replaceAll('1', '2');
    await user.call('updateSettings', { body: { solana: { providerKey: second } } });
    expect(nodeOf(user.id)).toContain(second);
    const cleared = await user.call('updateSettings', { body: { solana: { providerKey: null } } });
    expect(cleared.data.solana.providerKey).toBeNull();
    expect(nodeOf(user.id)).toBe('http://127.0.0.1:1');
  });

  test('that the provider refuses, or that opens another network, is not saved', async () => {
    const user = await server.registerUser();
    const save = (network: 'devnet' | 'mainnet', providerKey: string) =>
      user.call('updateSettings', { body: { solana: { network, providerKey } } });
    const refused = await save('devnet', 'wrong-key-0123456789');
    expect([refused.status, codeOf(refused)]).toEqual([400, 'PROVIDER_KEY_REFUSED']);
    expect(refused.error?.context).toEqual({ field: 'solana.providerKey' });
    const mismatch = await save('mainnet', KEY);
    expect(mismatch.error).toMatchObject({
      code: 'NODE_MISMATCH',
      context: { field: 'solana.providerKey', expected: 'Solana mainnet' },
    });
    expect((await user.call('getSettings')).data.solana).toMatchObject({
      network: 'sandbox',
      providerKey: null,
    });
  });

  test('is required where one is sent', async () => {
    const user = await server.registerUser();
    const called = await user.call('updateSettings', { body: { solana: { providerKey: '  ' } } });
    expect(called.error).toMatchObject({
      code: 'PROVIDER_KEY_REQUIRED',
      message: 'The provider key is required',
    });
  });

  test('is kept for later while the sandbox is chosen, which needs none', async () => {
    const user = await server.registerUser();
    const before = provider.asked.length;
    const { data } = await user.call('updateSettings', { body: { solana: { providerKey: KEY } } });
    expect(data.solana).toMatchObject({ network: 'sandbox', providerKey: 'b7f2…77c3' });
    expect(provider.asked).toHaveLength(before);
  });
});

describe('a BSC node of one’s own', () => {
  test('is saved when it has the network’s chain id, and shown without what may be a key', async () => {
    const user = await server.registerUser();
    const rpcUrl = `${testnetNode.url}/v2/${KEY}`;
    const { data } = await user.call('updateSettings', { body: { bsc: { chainId: 97, rpcUrl } } });
    expect(data.bsc).toMatchObject({ network: 'testnet', chainId: 97, rpcUrl: `${testnetNode.url}/…` });
    expect(server.services.networks.node('bsc', 'testnet', user.id).rpcUrl).toBe(rpcUrl);
    // It is the testnet's: another network has its own, and this one is there when the user comes back.
    const live = await user.call('updateSettings', { body: { bsc: { network: 'mainnet' } } });
    expect(live.data.bsc).toMatchObject({ chainId: 56, rpcUrl: null });
    const back = await user.call('updateSettings', { body: { bsc: { network: 'testnet' } } });
    expect(back.data.bsc.rpcUrl).toBe(`${testnetNode.url}/…`);
  });

  test('with another chain id is refused by the field’s name, and nothing is saved', async () => {
    const user = await server.registerUser();
    const body = { bsc: { network: 'mainnet', rpcUrl: testnetNode.url } } as const;
    const { status, error } = await user.call('updateSettings', { body });
    expect([status, error?.code]).toEqual([400, 'NODE_MISMATCH']);
    expect(error?.context).toEqual({ field: 'bsc.rpcUrl', actual: 'chain id 97', expected: 'chain id 56' });
    expect((await user.call('getSettings')).data.bsc).toMatchObject({ network: 'sandbox', rpcUrl: null });
  });

  test('that does not answer as a node does is refused by the field’s name', async () => {
    const user = await server.registerUser();
    const page = await serveNode({ eth_chainId: 'welcome' });
    for (const rpcUrl of [page.url, 'http://127.0.0.1:1', 'http://no-such-host.invalid']) {
      const { status, error } = await user.call('updateSettings', {
        body: { bsc: { network: 'testnet', rpcUrl } },
      });
      expect([status, error?.code, error?.context]).toEqual([
        400,
        'NODE_UNREACHABLE',
        { field: 'bsc.rpcUrl' },
      ]);
    }
  });

  test.each([
    'ftp://node.example',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'node.example',
    'http://a:b@node.example',
    'http://169.254.169.254/latest',
    'http://2852039166/',
    'http://[fe80::1]:8545',
    'http://[::ffff:169.254.169.254]',
  ])('%s is no address of a node', async (rpcUrl) => {
    const user = await server.registerUser();
    const { error } = await user.call('updateSettings', { body: { bsc: { network: 'testnet', rpcUrl } } });
    expect([error?.code, error?.context]).toEqual(['RPC_URL_INVALID', { field: 'bsc.rpcUrl' }]);
  });

  test('is not asked under a name that leads to a link-local address too', async () => {
    const user = await server.registerUser();
    const body = {
      bsc: { network: 'testnet', rpcUrl: testnetNode.url.replace('127.0.0.1', 'node.example') },
    } as const;
    const found = [
      { address: '127.0.0.1', family: 4 },
      { address: '169.254.169.254', family: 4 },
    ];
    const lookup: unknown = (_host: string, _options: unknown, callback: (...found: unknown[]) => void) =>
      callback(null, found);
    const spy = vi.spyOn(dns, 'lookup').mockImplementation(lookup as typeof dns.lookup);
    try {
      const before = testnetNode.asked.length;
      expect(codeOf(await user.call('updateSettings', { body }))).toBe('NODE_UNREACHABLE');
      expect(testnetNode.asked).toHaveLength(before);
      found.pop();
      expect((await user.call('updateSettings', { body })).status).toBe(200);
    } finally {
      spy.mockRestore();
    }
  });

  test('that redirects is refused', async () => {
    const user = await server.registerUser();
    const node = await serveNode({ eth_chainId: '0x61' }, () => 307);
    const body = { bsc: { network: 'testnet', rpcUrl: node.url } } as const;
    expect(codeOf(await user.call('updateSettings', { body }))).toBe('NODE_UNREACHABLE');
  });

  test('cannot be given to the sandbox', async () => {
    const user = await server.registerUser();
    const { error } = await user.call('updateSettings', { body: { bsc: { rpcUrl: testnetNode.url } } });
    expect(error?.code).toBe('SANDBOX_NODE_FIXED');
  });

  test('network and chain id must say the same', async () => {
    const user = await server.registerUser();
    const { error } = await user.call('updateSettings', {
      body: { bsc: { network: 'mainnet', chainId: 97 } },
    });
    expect(error?.context).toMatchObject({ field: 'bsc.chainId', options: '56' });
  });
});

test('another process learns of a change', async () => {
  const user = await server.registerUser();
  const { networks } = server.services;
  await user.call('updateSettings', { body: { bsc: { chainId: 97, rpcUrl: testnetNode.url } } });
  await server.services.start();
  // As another process would: behind this one's back.
  await server.db.deleteFrom('user_nodes').where('user_id', '=', user.id).execute();
  await vi.waitFor(
    () => expect(networks.node('bsc', 'testnet', user.id).rpcUrl).toBe('http://127.0.0.1:1'),
    10_000,
  );
});

test('a change that is committed after a later one is noticed too', async () => {
  const [slow, quick] = [await server.registerUser(), await server.registerUser()];
  const { db, services } = server;
  const nodes = createUserNodes({ db, vault: services.vault, logger: pino({ level: 'silent' }) });
  const name = 'solana-provider-key';
  const named = async () => {
    await nodes.load();
    return [slow, quick].map(({ id }) => nodes.find(id, 'solana', 'devnet'));
  };
  for (const { id } of [slow, quick]) await nodes.store(db, id, name, { value: 'first', hint: '…' });
  expect(await named()).toEqual(['first', 'first']);

  await db.transaction().execute(async (trx) => {
    await nodes.store(trx, slow.id, name, { value: 'second', hint: '…' });
    await nodes.store(db, quick.id, name, { value: 'second', hint: '…' });
    expect(await named()).toEqual(['first', 'second']);
  });
  expect(await named()).toEqual(['second', 'second']);
});
