import { setTimeout as delay } from 'node:timers/promises';
import {
  KervanError,
  REQUEST_TIMEOUT_MS,
  RPC_CALLS_MAX,
  RPC_CALLS_WINDOW_MS,
  type SolanaRpcCall,
} from '@kervan/contract';
import { networkName, printable } from '@kervan/chains';
import type { Database } from '@kervan/database';
import { z } from 'zod';
import type { Networks } from '../../engine/networks.ts';
import { readSettings } from '../../engine/user-settings.ts';
import { parseExactJson } from './exact-json.ts';
import { toRpcCall } from './to-rpc-call.ts';
import { createTurns } from './turns.ts';

/** Spec §8: what is limited is asked again so many times, after a second, two and four, each with up to one more. */
const RETRIES = 3;
const RETRY_MS = 1_000;
const REASON_MAX = 200;

const answerSchema = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ result: z.unknown() }),
]);

interface Dependencies {
  readonly db: Database;
  readonly networks: Pick<Networks, 'node'>;
  readonly random?: () => number;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export type SolanaRpcService = ReturnType<typeof createSolanaRpcService>;

/** Reads from the Solana node of a user: with their provider key, which stays here (spec §7, §8, §9). */
export function createSolanaRpcService({
  db,
  networks,
  random = Math.random,
  pause = (ms, signal) => delay(ms, undefined, { signal }),
}: Dependencies) {
  const takeTurn = createTurns(RPC_CALLS_MAX, RPC_CALLS_WINDOW_MS, () => performance.now());

  /**
   * Throws RATE_LIMITED, PROVIDER_KEY_REFUSED, RPC_REFUSED with the node's reason, and NETWORK_UNREACHABLE after 10 s
   * or whatever else the node does.
   */
  async function call(userId: string, wanted: SolanaRpcCall): Promise<unknown> {
    const { network } = (await readSettings(db, userId)).solana;
    const url = networks.node('solana', network, userId).rpcUrl;
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...toRpcCall(wanted) });
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    let isLimited = false;
    try {
      for (let attempt = 0; attempt <= RETRIES; attempt += 1) {
        if (attempt > 0) await pause(RETRY_MS * 2 ** (attempt - 1) + random() * RETRY_MS, signal);
        const waitMs = takeTurn(userId) - performance.now();
        if (waitMs > 0) await delay(waitMs, undefined, { signal });
        const answer = await ask(url, body, signal);
        isLimited = answer === 'limited';
        if (answer !== 'limited') return answer.result;
      }
    } catch (error) {
      if (error instanceof KervanError) throw error;
      // Neither cause nor text of the error goes on: either may repeat the address, and with it the key.
      if (!isLimited)
        throw new KervanError('NETWORK_UNREACHABLE', { network: networkName({ chain: 'solana', network }) });
    }
    throw new KervanError('RATE_LIMITED', { retryAfterSec: 1 });
  }

  return { call };
}

async function ask(url: string, body: string, signal: AbortSignal): Promise<'limited' | { result: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal,
    redirect: 'error',
  });
  const text = await response.text();
  if (response.status === 429) return 'limited';
  if (response.status === 401 || response.status === 403)
    throw new KervanError('PROVIDER_KEY_REFUSED', { field: 'solana.providerKey' });
  const answer = answerSchema.parse(parseExactJson(text));
  if (!('error' in answer)) return answer;
  if (answer.error.code === 429 || answer.error.message.includes('429')) return 'limited';
  throw new KervanError('RPC_REFUSED', { reason: withoutKey(answer.error.message, url) });
}

/** A node's words, should it repeat its address in them. */
function withoutKey(message: string, url: string): string {
  const { search, pathname } = new URL(url);
  const secrets = [...new URLSearchParams(search).values(), pathname.slice(1)].filter(
    (each) => each.length > 3,
  );
  const clean = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), message);
  return printable(clean, REASON_MAX);
}
