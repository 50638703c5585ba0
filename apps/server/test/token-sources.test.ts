import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startBscSandbox, startSolanaSandbox } from '@kervan/sandbox';
import { LIVE_SERVICES, type LiveServices } from '../src/engine/live-nodes.ts';
import { createFakeNetworks, TOKENS } from './fake-networks.ts';
import { serveJson, type FakeService } from './fake-service.ts';
import { codeOf, createDataDir, startTestServer, type TestServer, type TestUser } from './harness.ts';

describe('on a live network', () => {
  let jupiter: FakeService;
  let pairs: FakeService;
  let coins: FakeService;
  let server: TestServer;
  let user: TestUser;
  /** What the services say; a number is an HTTP status. */
  let said: { jupiter: unknown; pairs: unknown; coins: unknown };
  let isNameless = false;
  let now = new Date('2026-11-21T10:00:00Z');

  beforeAll(async () => {
    const serve = (name: 'jupiter' | 'pairs' | 'coins') =>
      serveJson(
        () => said[name],
        () => (typeof said[name] === 'number' ? said[name] : 200),
      );
    [jupiter, pairs, coins] = await Promise.all([serve('jupiter'), serve('pairs'), serve('coins')]);
    const live: LiveServices = {
      ...LIVE_SERVICES,
      jupiterUrl: jupiter.url,
      tokenPairsUrl: pairs.url,
      coinsUrl: coins.url,
    };
    const fake = createFakeNetworks();
    const networks = {
      ...fake,
      verifiedPort: async (...[chain, network]: Parameters<typeof fake.verifiedPort>) => {
        const port = await fake.verifiedPort(chain, network);
        return {
          ...port,
          network,
          parseAddress: (text: string) => (text.length > 30 ? text : undefined),
          describeToken: async (address: string) => {
            const token = await port.describeToken(address);
            return isNameless ? { ...token, name: '', symbol: '' } : token;
          },
        };
      },
    };
    server = await startTestServer({ networks, live, clock: () => now, isWorking: false });
    user = await server.registerUser();
    await user.call('updateSettings', {
      body: { solana: { network: 'mainnet' }, bsc: { network: 'mainnet' } },
    });
  });
  afterAll(() => server.stop());

  beforeEach(async () => {
    said = { jupiter: [], pairs: { pairs: null }, coins: 404 };
    isNameless = false;
    // Past everything that is remembered; the sign-in ends with it.
    now = new Date(now.getTime() + 25 * 3_600_000);
    const { username, password } = user;
    const { data } = await server.call('login', { body: { username, password } });
    const headers = { authorization: `Bearer ${data.access_token}` };
    user = { ...user, call: (name, sent) => server.call(name, { ...sent, headers }) };
  });

  const solanaToken = async () => (await user.call('getToken', { params: { mint: TOKENS.solana } })).data;
  const bscToken = async () => (await user.call('getBscToken', { params: { address: TOKENS.bsc } })).data;

  test('a Solana token is known by Jupiter’s list, asked once', async () => {
    said.jupiter = [
      { id: 'other', name: 'Other', symbol: 'OTH', decimals: 1 },
      {
        id: TOKENS.solana,
        name: 'USD Coin',
        symbol: 'USDC',
        decimals: 6,
        icon: 'https://img.example/usdc.png',
        website: 'javascript:alert(1)',
      },
    ];
    const before = jupiter.asked.length;
    expect(await solanaToken()).toMatchObject({
      name: 'USD Coin',
      symbol: 'USDC',
      decimals: 6,
      logoURI: 'https://img.example/usdc.png',
      website: null,
      isValid: true,
    });
    await solanaToken();
    expect(jupiter.asked.slice(before).map(({ url }) => url)).toEqual([
      `/tokens/v2/search?query=${TOKENS.solana}`,
    ]);
  });

  test('where that list does not know it, by the coin service, and else by the chain', async () => {
    said.coins = {
      name: 'USDC',
      symbol: 'usdc',
      image: { small: 'https://img.example/usdc.png' },
      description: { en: 'A dollar.' },
      links: { homepage: ['https://usdc.example/'] },
    };
    const before = coins.asked.length;
    expect(await solanaToken()).toMatchObject({
      name: 'USDC',
      symbol: 'USDC',
      description: 'A dollar.',
      website: 'https://usdc.example/',
    });
    expect(coins.asked.slice(before).map(({ url }) => url)).toEqual([
      `/coins/solana/contract/${TOKENS.solana}`,
    ]);
    now = new Date(now.getTime() + 25 * 3_600_000);
    said.coins = 404;
    const { data } = await server.call('login', {
      body: { username: user.username, password: user.password },
    });
    const headers = { authorization: `Bearer ${data.access_token}` };
    const chainOnly = await server.call('getToken', { params: { mint: TOKENS.solana }, headers });
    expect(chainOnly.data).toMatchObject({ name: 'Test', symbol: 'TEST', logoURI: null });
  });

  test('sources that are away or answer nonsense are passed over', async () => {
    said = { jupiter: 404, pairs: { pairs: 'nonsense' }, coins: { what: 1 } };
    expect(await solanaToken()).toMatchObject({ name: 'Test', symbol: 'TEST', isValid: true });
    isNameless = true;
    expect(await bscToken()).toMatchObject({ name: 'Custom Token', symbol: 'BEP20', isValid: true });
  });

  test('a BSC contract without a name gets that of a pair: one on BSC rather than another', async () => {
    isNameless = true;
    const baseToken = (name: string, symbol: string) => ({ address: TOKENS.bsc.toLowerCase(), name, symbol });
    said.pairs = {
      pairs: [
        { chainId: 'ethereum', baseToken: baseToken('On Ethereum', 'ETHT') },
        {
          chainId: 'bsc',
          baseToken: baseToken('On BSC', 'BSCT'),
          info: { imageUrl: 'https://img.example/t.png', websites: [{ url: 'https://token.example/' }] },
        },
      ],
    };
    expect(await bscToken()).toMatchObject({
      name: 'On BSC',
      symbol: 'BSCT',
      logoURI: 'https://img.example/t.png',
      website: 'https://token.example/',
    });
  });

  test('and if there is none on BSC, that of any pair', async () => {
    isNameless = true;
    said.pairs = {
      pairs: [{ chainId: 'base', baseToken: { address: TOKENS.bsc, name: 'Elsewhere', symbol: 'ELSE' } }],
    };
    expect(await bscToken()).toMatchObject({ name: 'Elsewhere', symbol: 'ELSE' });
  });

  test('tokens are found by name on both chains', async () => {
    said.jupiter = [
      { id: TOKENS.solana, name: 'USD Coin', symbol: 'USDC', decimals: 6 },
      { id: 'x'.repeat(40), name: '\u0000', symbol: 'Y', decimals: 6 },
    ];
    const solana = await user.call('searchTokens', { query: { q: ' usd ' } });
    expect(solana.data.tokens).toEqual([
      { address: TOKENS.solana, name: 'USD Coin', symbol: 'USDC', decimals: 6, logoURI: null },
    ]);
    const pair = (chainId: string, address: string) => ({
      chainId,
      baseToken: { address, name: 'N', symbol: 'S' },
    });
    said.pairs = { pairs: [pair('bsc', TOKENS.bsc), pair('bsc', TOKENS.bsc), pair('ethereum', '0x2')] };
    const bsc = await user.call('searchTokens', { query: { q: 'usd', chain: 'bsc' } });
    expect(bsc.data.tokens).toEqual([
      { address: TOKENS.bsc, name: 'N', symbol: 'S', decimals: 18, logoURI: null },
    ]);
    said.jupiter = 500;
    expect(codeOf(await user.call('searchTokens', { query: { q: 'usd' } }))).toBe('NETWORK_UNREACHABLE');
  });
});

test('in the sandbox, tokens are found, named, screened and counted by its own chains', async () => {
  const dataDir = await createDataDir();
  const [solana, bsc] = await Promise.all([
    startSolanaSandbox({ dataDir, port: 0 }),
    startBscSandbox({ dataDir, port: 0 }),
  ]);
  const env = { KERVAN_SANDBOX_SOLANA_PORT: String(solana.port), KERVAN_SANDBOX_BSC_PORT: String(bsc.port) };
  const server = await startTestServer({ env, isWorking: false });
  try {
    const user = await server.registerUser();
    const search = async (q: string, chain: 'solana' | 'bsc') =>
      (await user.call('searchTokens', { query: { q, chain } })).data.tokens.map(({ symbol }) => symbol);
    expect(await search('sol', 'solana')).toEqual(['WSOL', 'mSOL', 'JitoSOL']);
    expect(await search('usdc', 'solana')).toEqual(['USDC']);
    expect(await search('tax', 'bsc')).toEqual(['sTAX']);
    expect(await search('nothing like it', 'solana')).toEqual([]);

    const addressOf = (tokens: readonly { symbol: string; address: string }[], symbol: string) =>
      tokens.find((token) => token.symbol === symbol)?.address ?? '';
    const mintOf = (symbol: string) => addressOf(solana.tokens, symbol);
    expect(await search(mintOf('KRVN'), 'solana')).toEqual(['KRVN']);
    const ayaz = await user.call('getToken', { params: { mint: mintOf('AYAZ') } });
    expect(ayaz.data).toMatchObject({
      symbol: 'AYAZ',
      warnings: [{ code: 'FREEZE_AUTHORITY', severity: 'warning' }],
    });
    expect((await user.call('getToken', { params: { mint: mintOf('USDC') } })).data.warnings).toEqual([]);
    const taxed = await user.call('getBscToken', { params: { address: addressOf(bsc.tokens, 'sTAX') } });
    expect(taxed.data.warnings).toMatchObject([{ code: 'TRANSFER_TAX', context: { buyPercent: 5 } }]);

    const { data: wallet } = await user.call('createWallet', { body: { name: 'W' } });
    const { sandbox } = server.services.networks;
    await sandbox?.grant('solana', { address: wallet.public_key, amountUnits: 2_000_000_000n });
    await sandbox?.grant('solana', {
      address: wallet.public_key,
      amountUnits: 12_500_000n,
      tokenAddress: mintOf('USDC'),
    });
    await expect
      .poll(async () => (await user.call('walletBalance', { params: { id: wallet.id } })).data.tokens)
      .toEqual([
        {
          mint: mintOf('USDC'),
          amount: '12500000',
          decimals: 6,
          uiAmount: '12.5',
          symbol: 'USDC',
          name: 'USD Coin (sandbox)',
        },
      ]);
    const { data } = await user.call('walletBalance', { params: { id: wallet.id } });
    expect(data.sol).toBe('2');
    // Two SOL at just under 150 dollars, and 12.5 in USDC.
    expect(Number(data.totalUsdValue)).toBeGreaterThan(311);
    expect(Number(data.totalUsdValue)).toBeLessThan(312.5);
    expect(data.priceAt).not.toBeNull();
  } finally {
    await server.stop();
    await Promise.all([solana.close(), bsc.close()]);
  }
});
