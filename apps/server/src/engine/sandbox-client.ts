import { networkName } from '@kervan/chains';
import { z } from 'zod';
import {
  bscSandboxSchema,
  faucetResultSchema,
  KervanError,
  REQUEST_TIMEOUT_MS,
  solanaSandboxSchema,
  weatherSchema,
  type Chain,
  type Weather,
} from '@kervan/contract';

export type SolanaSandbox = z.infer<typeof solanaSandboxSchema>;
export type BscSandbox = z.infer<typeof bscSandboxSchema>;

export interface FaucetGrant {
  readonly address: string;
  /** Base units of SOL, BNB or the token. */
  readonly amountUnits: bigint;
  readonly tokenAddress?: string | undefined;
}

export interface SandboxPorts {
  readonly solanaPort: number;
  readonly bscPort: number;
}

const refusalSchema = z.object({ error: z.string() });

export type SandboxClient = ReturnType<typeof createSandboxClient>;

/** The control protocol of the sandbox process. Throws NETWORK_UNREACHABLE while it is away. */
export function createSandboxClient({ solanaPort, bscPort }: SandboxPorts) {
  const rpcUrls: Record<Chain, string> = {
    solana: `http://127.0.0.1:${solanaPort}`,
    bsc: `http://127.0.0.1:${bscPort}`,
  };

  async function call<T extends z.ZodType>(
    chain: Chain,
    path: string,
    schema: T,
    request: { method?: string; body?: unknown; signal?: AbortSignal | undefined } = {},
  ): Promise<z.output<T>> {
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    let status: number;
    let answer: unknown;
    try {
      const response = await fetch(rpcUrls[chain] + path, {
        method: request.method ?? 'GET',
        signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
        ...(request.body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(request.body),
        }),
      });
      status = response.status;
      answer = await response.json();
    } catch (error) {
      throw new KervanError(
        'NETWORK_UNREACHABLE',
        { network: networkName({ chain, network: 'sandbox' }) },
        { cause: error },
      );
    }
    if (status === 200) return schema.parse(answer);
    const refusal = refusalSchema.safeParse(answer);
    const reason = refusal.success ? refusal.data.error : `HTTP ${status}`;
    if (status === 400) throw new KervanError('FAUCET_REFUSED', { reason });
    throw new Error(`the ${chain} sandbox answered ${status}: ${reason}`);
  }

  return {
    rpcUrl: (chain: Chain) => rpcUrls[chain],
    wsUrl: `ws://127.0.0.1:${solanaPort}`,

    solana: (signal?: AbortSignal): Promise<SolanaSandbox> =>
      call('solana', '/sandbox', solanaSandboxSchema, { signal }),
    bsc: (signal?: AbortSignal): Promise<BscSandbox> => call('bsc', '/sandbox', bscSandboxSchema, { signal }),

    /** Throws FAUCET_REFUSED with the reason. */
    grant: (chain: Chain, { address, amountUnits, tokenAddress }: FaucetGrant) =>
      call(chain, '/sandbox/faucet', faucetResultSchema, {
        method: 'POST',
        body: {
          address,
          amount: amountUnits.toString(),
          ...(tokenAddress !== undefined && { tokenAddress }),
        },
      }),

    weather: (chain: Chain): Promise<Weather> => call(chain, '/sandbox/weather', weatherSchema),
    /** Replaces the given fields; answers the whole. */
    setWeather: (chain: Chain, change: { readonly [K in keyof Weather]?: Weather[K] | undefined }) =>
      call(chain, '/sandbox/weather', weatherSchema, { method: 'PUT', body: change }),
  };
}
