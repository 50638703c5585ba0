import { NO_LIMITS } from '@kervan/domain';
import { createSolanaRpc, createSolanaRpcSubscriptions, generateKeyPairSigner } from '@solana/kit';
import { bareSolanaBuy, solanaToken } from './lib/bare-solana-swap.ts';
import type { BenchOptions } from './lib/options.ts';
import type { Figure } from './lib/report.ts';
import { raceSwaps, swapByExecutor, type Swap } from './lib/swap-race.ts';
import { withTemporaryFolder } from './lib/temporary-folder.ts';
import { withTradingDesk, type TradingDesk } from './lib/trading-desk.ts';

const PAIRS = 200;
const AMOUNT_LAMPORTS = 1_000_000n;
const FUNDS_LAMPORTS = 100_000_000_000n;
const SLIPPAGE_BPS = 100;
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

async function executorSwap(desk: TradingDesk): Promise<Swap> {
  const token = await solanaToken(desk.sandbox);
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
  const { address: token } = await solanaToken(sandbox);
  const signer = await generateKeyPairSigner();
  await sandbox.grant('solana', { address: signer.address, amountUnits: FUNDS_LAMPORTS });
  const url = sandbox.rpcUrl('solana');
  const rpc = createSolanaRpc(url);
  const subscriptions = createSolanaRpcSubscriptions(sandbox.wsUrl);
  const buy = { token, lamports: AMOUNT_LAMPORTS, slippageBps: SLIPPAGE_BPS };

  return async () => {
    const { wire, signature } = await bareSolanaBuy(url, signer, buy);
    const watching = new AbortController();
    const notifications = await subscriptions
      .signatureNotifications(signature, { commitment: 'confirmed' })
      .subscribe({ abortSignal: watching.signal });
    // Asked for before the transaction is sent: kit drops what comes before the first time that somebody asks.
    const landing = notifications[Symbol.asyncIterator]().next();
    await rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
    const { value: notification } = await landing;
    watching.abort();
    const error = notification?.value.err ?? null;
    if (error !== null) throw new Error(`The bare swap failed: ${JSON.stringify(error)}`);
  };
}
