import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chain, Network } from '@kervan/contract';
import type { ChainPort, SwapRequest } from '@kervan/chains';
import type { KeyOwner, PreparedAhead, SigningKey } from './drive-context.ts';
import type { SwapIntent, TradeIntent } from './intent.ts';
import type { PlanResult } from './plan-trades.ts';
import { swapRequest } from './swap-request.ts';

/** What was prepared longer ago than this is of another market. */
const GOOD_FOR_MS = 2_000;

/** Told what the planning of one trade came to; nothing where it failed. */
type Planned = (result: PlanResult | undefined) => void;

/**
 * First attempts that are prepared while their trades are still being planned. That only reads, so nothing has
 * happened if there is no trade in the end, and what was prepared is forgotten.
 */
export function createPreparations(deps: {
  readonly port: (chain: Chain, network: Network, userId: string) => ChainPort;
  readonly readKey: (owner: KeyOwner) => Promise<SigningKey>;
  readonly stopping: AbortSignal;
}) {
  const prepared = new Map<string, PreparedAhead>();

  /** Begins to prepare the intents' trades, when the statement that plans them is on its way. */
  async function begin(intents: readonly TradeIntent[]): Promise<Planned[]> {
    await nextTurn();
    return intents.map((intent) =>
      // A bundle's legs are prepared together, and a transfer in another way.
      intent.kind === 'transfer' || intent.bundleId !== undefined ? () => {} : beginOne(intent),
    );
  }

  function beginOne(intent: SwapIntent): Planned {
    const held = Promise.withResolvers<void>();
    const stop = new AbortController();
    const signal = AbortSignal.any([deps.stopping, stop.signal, AbortSignal.timeout(GOOD_FOR_MS)]);
    const { chain, network, userId, wallet } = intent;
    const prepare = async () =>
      await deps.port(chain, network, userId).prepareSwap(requestOf(intent), signal, held.promise);
    const transaction = prepare();
    // A pasted key is held by its trade.
    const key =
      wallet.id === null ? undefined : deps.readKey({ wallet_id: wallet.id, user_id: userId, chain });
    // What goes wrong now goes wrong again where it is met.
    transaction.catch(() => {});
    key?.catch(() => {});
    held.promise.catch(() => {});

    return (result) => {
      const trade = result && 'trade' in result ? result.trade : null;
      // On BSC only with the nonce lane, which nobody else can take from the planning on.
      if (!trade || (trade.chain === 'bsc' && !trade.has_lane)) {
        const reason = new Error('the trade can’t use what was prepared ahead');
        stop.abort(reason);
        held.reject(reason);
        return;
      }
      held.resolve();
      prepared.set(trade.id, { transaction, key });
      setTimeout(() => prepared.delete(trade.id), GOOD_FOR_MS).unref();
    };
  }

  /** Takes what was prepared for the trade, once. */
  function take(tradeId: string): PreparedAhead | undefined {
    const taken = prepared.get(tradeId);
    prepared.delete(tradeId);
    return taken;
  }

  return { begin, take };
}

function requestOf(intent: SwapIntent): SwapRequest {
  const { wallet, action, token, amountInUnits, slippageBps, dexVersion, gas } = intent;
  const terms = { action, amountInUnits, slippageBps, dexVersion, gas };
  return swapRequest({ ...terms, owner: wallet.address, tokenAddress: token.address });
}
