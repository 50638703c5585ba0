import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Chain } from '@kervan/contract';
import type { AttemptRef, ChainPort, LandedOutcome, Outcome } from '@kervan/chains';
import type { ChainKeys } from '../../apps/server/src/engine/networks.ts';

/** From a send to its landing. */
const LANDING_MS = 20;

const NOT_USED = 'bots that buy do not ask for this';

/**
 * A chain that costs nothing: every send lands after 20 ms. On BSC the answer to the send tells so, on Solana
 * whoever watches hears of it, as with the real adapters.
 */
export function createStubChain(chain: Chain, keys: ChainKeys): ChainPort {
  const landed = new Map<string, LandedOutcome>();
  const nonces = new Map<string, bigint>();
  let height = 1_000n;

  const outcomeOf = ({ txId }: AttemptRef): Outcome => landed.get(txId) ?? { kind: 'pending' };

  function land({ txId, owner }: AttemptRef): LandedOutcome {
    height += 1n;
    nonces.set(owner, (nonces.get(owner) ?? 0n) + 1n);
    const outcome: LandedOutcome = {
      kind: 'success',
      settlement: {
        nativeUnits: 1_000_000n,
        tokenUnits: 1_000_000n,
        feeUnits: 5_000n,
        tipUnits: 0n,
        rentUnits: 0n,
        height,
        landedAt: new Date(),
      },
    };
    landed.set(txId, outcome);
    return outcome;
  }

  return {
    ...keys,
    chain,
    network: 'sandbox',
    verifyNetwork: () => Promise.resolve(),
    provenNetwork: () => undefined,
    balances: () => Promise.reject(new Error(NOT_USED)),
    tokenBalances: () => Promise.reject(new Error(NOT_USED)),
    describeToken: () => Promise.reject(new Error(NOT_USED)),
    screenToken: () => Promise.reject(new Error(NOT_USED)),
    quote: () => Promise.reject(new Error(NOT_USED)),
    prepareTransfer: () => Promise.reject(new Error(NOT_USED)),
    prepareReplacement: () => Promise.resolve(undefined),
    bundles: undefined,
    buyReserve: () => Promise.resolve(0n),
    gasPrices: undefined,
    prepareSwap: ({ owner }) =>
      Promise.resolve({
        purpose: 'swap',
        owner,
        expiry:
          chain === 'bsc'
            ? { kind: 'nonce', nonce: nonces.get(owner) ?? 0n }
            : { kind: 'block-height', lastValidBlockHeight: height + 150n },
        gasPriceUnits: chain === 'bsc' ? 1_000_000_000n : null,
        quote: null,
        feeUnits: 5_000n,
        rentUnits: 0n,
        tipUnits: 0n,
        // As long as a swap's message is.
        unsigned: randomBytes(300),
      }),
    sign(prepared) {
      const bytes = Uint8Array.from(Buffer.isBuffer(prepared.unsigned) ? prepared.unsigned : []);
      return Promise.resolve({ txId: createHash('sha256').update(bytes).digest('hex'), bytes });
    },
    async broadcast(request) {
      if (chain === 'solana') {
        setTimeout(land, LANDING_MS, request);
        return { kind: 'accepted' };
      }
      await delay(LANDING_MS);
      return { kind: 'landed', outcome: land(request) };
    },
    outcome: (attempt) => Promise.resolve(outcomeOf(attempt)),
    async watch(attempt, signal) {
      while (!signal.aborted) {
        const outcome = outcomeOf(attempt);
        if (outcome.kind !== 'pending') return outcome;
        await delay(LANDING_MS, undefined, { signal }).catch(() => undefined);
      }
      return { kind: 'pending' };
    },
    history: undefined,
    holdings: undefined,
    close: () => {},
  };
}
