import { describe, expect, it } from 'vitest';
import { createJupiterClient, noSwapService } from './jupiter.ts';

const query = { inputMint: 'SOL', outputMint: 'MINT', amountUnits: 10n ** 18n, slippageBps: 50 };
const quote = {
  inputMint: 'SOL',
  outputMint: 'MINT',
  inAmount: '1000000000000000000',
  outAmount: '77',
  otherAmountThreshold: '76',
  priceImpactPct: '0.01',
  routePlan: [{ percent: 100 }],
};

function clientOf(status: number, body: unknown) {
  const asked: { url: URL; headers: unknown; body: string | undefined }[] = [];
  const client = createJupiterClient({
    url: new URL('https://jupiter.example'),
    apiKey: 'key',
    priorityFee: { maxLamports: 900, level: 'high' },
    http: async (url, init) => {
      asked.push({ url, headers: init.headers, body: typeof init.body === 'string' ? init.body : undefined });
      return { status, text: typeof body === 'string' ? body : JSON.stringify(body) };
    },
  });
  return { client, asked };
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) => (error instanceof Error && 'code' in error ? error.code : error));

describe('createJupiterClient', () => {
  it('asks for an exact-input quote and keeps all its fields', async () => {
    const { client, asked } = clientOf(200, quote);
    expect(await client.quote(query)).toEqual(quote);
    expect(asked[0]?.url.href).toBe(
      'https://jupiter.example/swap/v1/quote?inputMint=SOL&outputMint=MINT&amount=1000000000000000000&slippageBps=50&swapMode=ExactIn',
    );
    expect(asked[0]?.headers).toMatchObject({ 'x-api-key': 'key' });
  });

  it('sends the quote back whole, with a capped priority fee', async () => {
    const { client, asked } = clientOf(200, { swapTransaction: 'AAAA', lastValidBlockHeight: 9 });
    expect(await client.swap(quote, 'owner', 'priority fee')).toEqual({
      swapTransaction: 'AAAA',
    });
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      quoteResponse: quote,
      userPublicKey: 'owner',
      wrapAndUnwrapSol: true,
      dynamicComputeUnitLimit: true,
      prioritizationFeeLamports: {
        priorityLevelWithMaxLamports: { maxLamports: 900, priorityLevel: 'high' },
      },
    });
  });

  it.each([
    [{ tipLamports: 25_000n }, { jitoTipLamports: 25_000 }],
    [{ tipLamports: 0n }, 0],
  ])('asks for a tip or for nothing at all in a bundle: %o', async (pays, prioritizationFeeLamports) => {
    const { client, asked } = clientOf(200, { swapTransaction: 'AAAA' });
    await client.swap(quote, 'owner', pays);
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({
      dynamicComputeUnitLimit: false,
      prioritizationFeeLamports,
    });
  });

  it.each([
    [
      'no route',
      400,
      { error: 'Could not find any route', errorCode: 'COULD_NOT_FIND_ANY_ROUTE' },
      'ROUTE_UNAVAILABLE',
    ],
    [
      'an untradable token',
      400,
      { error: 'not tradable', errorCode: 'TOKEN_NOT_TRADABLE' },
      'ROUTE_UNAVAILABLE',
    ],
    ['a wrong key', 401, { error: 'Unauthorized' }, 'NETWORK_UNREACHABLE'],
    ['a page of HTML', 200, '<html>', 'NETWORK_UNREACHABLE'],
    ['a quote without amounts', 200, { ...quote, outAmount: '7.5' }, 'NETWORK_UNREACHABLE'],
    ['a quote of what no token has', 200, { ...quote, outAmount: '9'.repeat(21) }, 'NETWORK_UNREACHABLE'],
    ['a quote for another amount', 200, { ...quote, inAmount: '1' }, 'NETWORK_UNREACHABLE'],
    ['a quote with more slippage', 200, { ...quote, otherAmountThreshold: '75' }, 'NETWORK_UNREACHABLE'],
    ['a quote for another token', 200, { ...quote, outputMint: 'OTHER' }, 'NETWORK_UNREACHABLE'],
  ])('answers %s with the code for it', async (_case, status, body, code) => {
    expect(await codeOf(clientOf(status, body).client.quote(query))).toBe(code);
  });
});

describe('noSwapService', () => {
  it('refuses with the reason', async () => {
    const refusal = {
      code: 'ROUTE_UNAVAILABLE',
      context: { reason: 'no swap service is set up for Solana devnet' },
    };
    await expect(noSwapService('Solana devnet').quote(query)).rejects.toMatchObject(refusal);
    await expect(noSwapService('Solana devnet').swap(quote, 'owner', 'priority fee')).rejects.toMatchObject(
      refusal,
    );
  });
});
