import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  address,
  airdropFactory,
  blockhash,
  compileTransaction,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  appendTransactionMessageInstructions,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { startSolanaSandbox, type SolanaSandbox } from '../src/solana/start.ts';
import type { Weather } from '../src/weather.ts';

export const wrappedSol = address('So11111111111111111111111111111111111111112');
export const lamportsPerSol = 1_000_000_000n;

type StartOptions = Omit<Parameters<typeof startSolanaSandbox>[0], 'dataDir' | 'port'>;

export interface RpcAnswer {
  result?: unknown;
  error?: { code: number; message: string; data?: { err?: unknown; logs?: string[] } };
}

/** A sandbox on a fresh directory, or on a given one, and what a test does with it. */
export async function openSandbox(options: StartOptions & { dataDir?: string } = {}) {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'kervan-solana-')));
  const sandbox = await startSolanaSandbox({ ...options, dataDir, port: 0 });
  return {
    ...connect(sandbox),
    sandbox,
    dataDir,
    async close() {
      await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface QuoteResponse {
  inAmount: string;
  outAmount: string;
  otherAmountThreshold: string;
  priceImpactPct: string;
  routePlan: unknown[];
  [field: string]: unknown;
}

interface SwapResponse {
  swapTransaction: string;
  lastValidBlockHeight: number;
  computeUnitLimit: number;
  prioritizationFeeLamports: number;
}

/** Requests to a running sandbox, in kit's terms and in plain HTTP. */
export function connect(sandbox: Pick<SolanaSandbox, 'url' | 'wsUrl' | 'tokens'>) {
  const rpc = createSolanaRpc(sandbox.url);
  const rpcSubscriptions = createSolanaRpcSubscriptions(sandbox.wsUrl);

  async function http(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${sandbox.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  async function call(method: string, params: unknown[] = [], path = '/'): Promise<RpcAnswer> {
    const { body } = await http('POST', path, { jsonrpc: '2.0', id: 1, method, params });
    return body as RpcAnswer;
  }

  async function fund(lamports = 100n * lamportsPerSol): Promise<KeyPairSigner> {
    const signer = await generateKeyPairSigner();
    const { status, body } = await http('POST', '/sandbox/faucet', {
      address: signer.address,
      amount: lamports.toString(),
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return signer;
  }

  async function quote(from: string, to: string, amount: bigint, slippageBps = 50): Promise<QuoteResponse> {
    const query = `inputMint=${from}&outputMint=${to}&amount=${amount}&slippageBps=${slippageBps}`;
    const { status, body } = await http('GET', `/swap/v1/quote?${query}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body as QuoteResponse;
  }

  async function buildSwap(
    user: KeyPairSigner,
    quoteResponse: QuoteResponse,
    more: object = {},
  ): Promise<Signed & SwapResponse> {
    const { status, body } = await http('POST', '/swap/v1/swap', {
      quoteResponse,
      userPublicKey: user.address,
      wrapAndUnwrapSol: true,
      dynamicComputeUnitLimit: true,
      ...more,
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
    const response = body as SwapResponse;
    const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(response.swapTransaction));
    return { ...response, ...signed(await signTransaction([user.keyPair], transaction)) };
  }

  async function sign(
    signers: readonly [KeyPairSigner, ...KeyPairSigner[]],
    instructions: Instruction[],
  ): Promise<Signed> {
    const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'processed' }).send();
    return signed(await signWith(signers, instructions, lifetime.blockhash, lifetime.lastValidBlockHeight));
  }

  return {
    rpc,
    rpcSubscriptions,
    http,
    call,
    fund,
    quote,
    buildSwap,
    sign,
    airdrop: airdropFactory({ rpc, rpcSubscriptions }),
    send: (wire: string, config: object = {}) =>
      call('sendTransaction', [wire, { encoding: 'base64', ...config }]),
    sendBundle: (wires: string[]) => call('sendBundle', [wires, { encoding: 'base64' }], '/api/v1/bundles'),
    setWeather: (patch: Partial<Weather>) => http('PUT', '/sandbox/weather', patch),
    mint(symbol: string) {
      const token = sandbox.tokens.find((each) => each.symbol === symbol);
      if (!token) throw new Error(`The sandbox has no ${symbol}`);
      return address(token.address);
    },
    async lamports(owner: string) {
      return (await rpc.getBalance(address(owner)).send()).value;
    },
    async tokens(owner: string, mint: string) {
      const account = await associated(owner, mint);
      const { result } = await call('getTokenAccountBalance', [account]);
      return result === undefined ? 0n : BigInt((result as { value: { amount: string } }).value.amount);
    },
  };
}

export interface Signed {
  wire: string;
  signature: string;
}

export function signed(transaction: Parameters<typeof getBase64EncodedWireTransaction>[0]): Signed {
  return {
    wire: getBase64EncodedWireTransaction(transaction),
    signature: getSignatureFromTransaction(transaction),
  };
}

export function signWith(
  signers: readonly [KeyPairSigner, ...KeyPairSigner[]],
  instructions: Instruction[],
  recentBlockhash: string,
  lastValidBlockHeight = 0n,
) {
  const transaction = pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(signers[0].address, message),
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash(recentBlockhash), lastValidBlockHeight },
        message,
      ),
    (message) => appendTransactionMessageInstructions(instructions, message),
    compileTransaction,
  );
  return signTransaction(
    signers.map((signer) => signer.keyPair),
    transaction,
  );
}

export async function associated(owner: string, mint: string) {
  const [account] = await findAssociatedTokenPda({
    owner: address(owner),
    mint: address(mint),
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  });
  return account;
}
