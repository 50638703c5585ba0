import { setTimeout as delay } from 'node:timers/promises';
import { FAST_SWAP_WALLETS_MAX, routes } from '@kervan/contract';
import { createSolanaRpc, generateKeyPairSigner, type KeyPairSigner, type Signature } from '@solana/kit';
import type { SandboxClient } from '../apps/server/src/engine/sandbox-client.ts';
import type { ApiClient } from '../e2e/lib/api-client.ts';
import { bareSolanaBuy, solanaToken } from './lib/bare-solana-swap.ts';
import { raceFastSwaps } from './lib/fast-swap-race.ts';
import type { BenchOptions } from './lib/options.ts';
import type { Figure } from './lib/report.ts';
import type { Swap } from './lib/swap-race.ts';

const WALLETS = 20;
const PAIRS = 50;
/** Each swap spends a thousandth of what is there. */
const FUNDS_LAMPORTS = 100_000_000_000n;
const AMOUNT_LAMPORTS = 100_000_000n;
const SLIPPAGE_BPS = 1_000;
const SLOT_MS = 400;
/** How often the bare script looks. */
const POLL_MS = 20;

/** A fast swap of 20 wallets, from the requests to the last answer, against a bare kit script on the same node. */
export async function fastSwapSolana(options: BenchOptions): Promise<Figure[]> {
  return await raceFastSwaps(options, {
    claim: `Solana fast swap of ${WALLETS} wallets`,
    pairs: PAIRS,
    blockMs: SLOT_MS,
    ours: fastSwap,
    bare: bareScript,
  });
}

/** As a client asks for it: a call for each bundle, answered when the last of its trades has ended. */
async function fastSwap(api: ApiClient, sandbox: SandboxClient): Promise<Swap> {
  const batches: string[][] = [];
  for (let index = 0; index < WALLETS; index++) {
    const { id, public_key: address } = await api.call(routes.createWallet, {
      body: { name: `bench ${index}` },
    });
    await sandbox.grant('solana', { address, amountUnits: FUNDS_LAMPORTS });
    if (index % FAST_SWAP_WALLETS_MAX === 0) batches.push([]);
    batches.at(-1)?.push(id);
  }
  const { address: tokenAddress } = await solanaToken(sandbox);
  const swap = { mode: 'buy', tokenAddress, percent: 1, slippageBps: SLIPPAGE_BPS } as const;
  return async () => {
    const answers = await Promise.all(
      batches.map((walletIds) => api.call(routes.fastSwap, { body: { ...swap, walletIds } })),
    );
    const failed = answers.flatMap((answer) => answer.failed);
    if (answers.flatMap(({ signatures }) => signatures).length !== WALLETS)
      throw new Error(`${WALLETS} swaps wanted: ${JSON.stringify(failed)}`);
  };
}

/**
 * Who swaps how much is planned already; what is left is what no Solana swap can do without, for a price and a blockhash
 * live for seconds: Jupiter's quote and transaction, a signature, a send, word of its landing and its receipt.
 */
async function bareScript(sandbox: SandboxClient): Promise<Swap> {
  const { address: token } = await solanaToken(sandbox);
  const url = sandbox.rpcUrl('solana');
  const rpc = createSolanaRpc(url);
  const signers = await Promise.all(Array.from({ length: WALLETS }, () => generateKeyPairSigner()));
  for (const { address } of signers) await sandbox.grant('solana', { address, amountUnits: FUNDS_LAMPORTS });
  const buy = { token, lamports: AMOUNT_LAMPORTS, slippageBps: SLIPPAGE_BPS };

  async function send(signer: KeyPairSigner) {
    const { wire, signature } = await bareSolanaBuy(url, signer, buy);
    await rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
    return signature;
  }

  const receiptOf = (signature: Signature) =>
    rpc
      .getTransaction(signature, {
        commitment: 'confirmed',
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
      })
      .send();

  return async () => {
    const signatures = await Promise.all(signers.map(send));
    for (;;) {
      const { value } = await rpc.getSignatureStatuses(signatures).send();
      if (value.some((status) => status?.err)) throw new Error('A bare swap failed');
      if (value.every((status) => status && status.confirmationStatus !== 'processed')) break;
      await delay(POLL_MS);
    }
    await Promise.all(signatures.map(receiptOf));
  };
}
