import http from 'node:http';
import https from 'node:https';
import { lookupNode } from './node-lookup.ts';

export interface NodeRequest {
  readonly body: string;
  /** From the first byte that is sent to the last that comes back. */
  readonly timeoutMs: number;
  /** Between one byte and the next. */
  readonly silenceTimeoutMs?: number;
  readonly maxBytes: number;
  /** Of the address's protocol. */
  readonly agent?: http.Agent;
  readonly signal?: AbortSignal | undefined;
}

export interface NodeAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Posts JSON to an address that a user may have named: what is there can neither answer without end nor be a link-local
 * address, and redirects are not followed. Errors name no part of the address: it may hold a key.
 */
export function askNode(url: URL, request: NodeRequest): Promise<NodeAnswer> {
  const { body, timeoutMs, silenceTimeoutMs = timeoutMs, maxBytes, agent, signal } = request;
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? https : http).request(
      url,
      {
        method: 'POST',
        timeout: silenceTimeoutMs,
        lookup: lookupNode,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        ...(agent && { agent }),
        ...(signal && { signal }),
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        incoming.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > maxBytes) fail('The node’s answer is too long');
          else chunks.push(chunk);
        });
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
      },
    );
    function fail(message: string): void {
      const error = new Error(message);
      reject(error);
      outgoing.destroy(error);
    }
    const deadline = setTimeout(() => fail('The node’s answer takes too long'), timeoutMs);
    outgoing.on('close', () => clearTimeout(deadline));
    outgoing.on('timeout', () => fail('The node is silent'));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
