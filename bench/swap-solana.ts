import { NO_LIMITS } from '@kervan/domain';
import {
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  signTransaction,
} from '@solana/kit';
import type { BenchOptions } from './lib/options.ts';
import type { Figure } from './lib/report.ts';
import { raceSwaps, swapByExecutor, type Swap } from './lib/swap-race.ts';
import { withTemporaryFolder } from './lib/temporary-folder.ts';
import { withTradingDesk, type TradingDesk } from './lib/trading-desk.ts';

const PAIRS = 200;
const AMOUNT_LAMPORTS = 1_000_000n;
const FUNDS_LAMPORTS = 100_000_000_000n;
const SLIPPAGE_BPS = 100;
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
const SLOT_MS = 400;

/** One buy through the executor against a bare kit script on the same node. */
export async function swapSolana(options: BenchOptions): Promise<Figure[]> {
  return await withTemporaryFolder((folder) =>
    withTradingDesk(folder, async (desk) => {
      return await raceSwaps({
        claim: 'Solana buy',
        pairs: options.pairs ?? PAIRS,
        ours: await executorSwap(desk),
        bare: await bareSwap(desk),
        blockMs: SLOT_MS,
        maxRatio: 1.5,
      });
    }),
  );
}

async function tokenOf({ sandbox }: TradingDesk) {
  const { tokens } = await sandbox.solana();
  const token = tokens.find(({ address }) => address !== WRAPPED_SOL);
  if (!token) throw new Error('The Solana sandbox has no tokens');
  return token;
}

async function executorSwap(desk: TradingDesk): Promise<Swap> {
  const token = await tokenOf(desk);
  const { userId, ...wallet } = await desk.addWallet('solana', FUNDS_LAMPORTS);
  return swapByExecutor(desk, (serial) => ({
    idempotencyKey: `swap ${serial}`,
    userId,
    wallet,
    chain: 'solana',
    network: 'sandbox',
    source: 'fast-swap',
    sourceId: null,
    sourceName: null,
    action: 'buy',
    token,
    amountInUnits: AMOUNT_LAMPORTS,
    slippageBps: SLIPPAGE_BPS,
    dexVersion: null,
    gas: null,
    limits: NO_LIMITS,
    limitValueUnits: AMOUNT_LAMPORTS,
  }));
}

/** What no swap can do without: Jupiter's quote and transaction, a signature, a send, and word of its landing. */
async function bareSwap(desk: TradingDesk): Promise<Swap> {
  const { sandbox } = desk;
  const token = await tokenOf(desk);
  const signer = await generateKeyPairSigner();
  await sandbox.grant('solana', { address: signer.address, amountUnits: FUNDS_LAMPORTS });
  const url = sandbox.rpcUrl('solana');
  const rpc = createSolanaRpc(url);
  const subscriptions = createSolanaRpcSubscriptions(sandbox.wsUrl);
  const query = new URLSearchParams({
    inputMint: WRAPPED_SOL,
    outputMint: token.address,
    amount: String(AMOUNT_LAMPORTS),
    slippageBps: String(SLIPPAGE_BPS),
  });

  return async () => {
    const quoteResponse: unknown = await (await fetch(`${url}/swap/v1/quote?${query.toString()}`)).json();
    const answer = await fetch(`${url}/swap/v1/swap`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ quoteResponse, userPublicKey: signer.address, dynamicComputeUnitLimit: true }),
    });
    // Jupiter's documented answer; anything else fails in the decoder.
    const { swapTransaction } = (await answer.json()) as { swapTransaction: string };
    const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(swapTransaction));
    const transaction = await signTransaction([signer.keyPair], unsigned);
    const signature = getSignatureFromTransaction(transaction);

    const watching = new AbortController();
    const notifications = await subscriptions
      .signatureNotifications(signature, { commitment: 'confirmed' })
      .subscribe({ abortSignal: watching.signal });
    await rpc
      .sendTransaction(getBase64EncodedWireTransaction(transaction), {
        encoding: 'base64',
        skipPreflight: true,
      })
      .send();
    for await (const { value } of notifications) {
      if (value.err !== null) throw new Error(`The bare swap failed: ${JSON.stringify(value.err)}`);
      break;
    }
    watching.abort();
  };
}
