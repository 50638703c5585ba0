import { KervanError } from '@kervan/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFakeNetworks, TOKEN_DECIMALS, TOKENS, type FakeNetworks } from './fake-networks.ts';
import { codeOf, startTestServer, type TestServer, type TestUser } from './harness.ts';

let server: TestServer;
let user: TestUser;
let answer: 'token' | 'nameless' | KervanError;
/** Whose own node warns of every token. */
let warned: string | undefined;

// The fake networks, with what they say of a token in the test's hand.
function networks(): FakeNetworks {
  const fake = createFakeNetworks();
  return {
    ...fake,
    async verifiedPort(chain, network, userId) {
      const port = await fake.verifiedPort(chain, network);
      return {
        ...port,
        screenToken: async () =>
          userId === warned ? [{ code: 'FREEZE_AUTHORITY', severity: 'warning', context: {} }] : [],
        async describeToken(address, signal) {
          if (answer instanceof KervanError) throw answer;
          const token = await port.describeToken(address, signal);
          return answer === 'nameless' ? { ...token, name: '', symbol: '' } : token;
        },
      };
    },
  };
}

beforeAll(async () => {
  server = await startTestServer({ networks: networks(), isWorking: false });
  user = await server.registerUser();
});

const nothingMore = { logoURI: null, description: null, website: null, warnings: [] };

describe('looking up a token', () => {
  test('tells name, symbol and decimals of a valid one on both chains', async () => {
    answer = 'token';
    const known = {
      name: 'Test',
      symbol: 'TEST',
      decimals: TOKEN_DECIMALS,
      ...nothingMore,
      isValid: true,
    };
    const solana = await user.call('getToken', { params: { mint: TOKENS.solana } });
    expect(solana.data).toEqual({ address: TOKENS.solana, ...known });
    const bsc = await user.call('getBscToken', { params: { address: TOKENS.bsc.toLowerCase() } });
    expect(bsc.data).toEqual({ address: TOKENS.bsc, ...known });
  });

  test('warns nobody of what another user’s node says', async () => {
    answer = 'token';
    const [other, third] = [await server.registerUser(), await server.registerUser()];
    warned = other.id;
    const codes = async ({ call }: TestUser) =>
      (await call('getToken', { params: { mint: TOKENS.solana } })).data.warnings.map(({ code }) => code);
    expect(await codes(other)).toEqual(['FREEZE_AUTHORITY']);
    expect(await codes(third)).toEqual([]);
  });

  test('answers an address without a token as an invalid token, not as an error', async () => {
    answer = 'token';
    const address = '0x0000000000000000000000000000000000000001';
    const { status, data } = await user.call('getBscToken', { params: { address } });
    expect(status).toBe(200);
    expect(data).toMatchObject({ name: 'Token Not Found', decimals: 18, isValid: false });
  });

  test('answers a text that is no address as an invalid token', async () => {
    answer = new KervanError('TOKEN_ADDRESS_INVALID');
    const { data } = await user.call('getToken', { params: { mint: 'so / what?' } });
    expect(data).toEqual({
      address: 'so / what?',
      name: 'Invalid Address',
      symbol: 'INVALID',
      decimals: 9,
      ...nothingMore,
      isValid: false,
    });
  });

  test('gives a contract that tells no name the name of a custom token', async () => {
    answer = 'nameless';
    const { data } = await user.call('getBscToken', { params: { address: TOKENS.bsc } });
    expect(data).toMatchObject({ name: 'Custom Token', symbol: 'BEP20', isValid: true });
  });

  test('says so when the node can’t be asked, instead of calling the token invalid', async () => {
    answer = new KervanError('NETWORK_UNREACHABLE', { network: 'bsc sandbox' });
    const called = await user.call('getBscToken', { params: { address: TOKENS.bsc } });
    expect(codeOf(called)).toBe('NETWORK_UNREACHABLE');
  });

  test('needs a user', async () => {
    const called = await server.call('getToken', { params: { mint: TOKENS.solana } });
    expect(codeOf(called)).toBe('AUTH_REQUIRED');
  });
});
