import { describe, expect, it } from 'vitest';
import { createHttpClient, type HttpClient } from './http.ts';

const url = new URL('https://node.example/?api-key=SECRET');

/** A client of a service that gives these answers in turn; an Error is a broken connection. */
function clientOf(answers: (Response | Error)[], options: { maxInFlight?: number } = {}) {
  let calls = 0;
  const http: HttpClient = createHttpClient({
    service: 'Solana test',
    timeoutMs: 1_000,
    attempts: 3,
    backoffMs: 1,
    maxInFlight: options.maxInFlight ?? 10,
    fetch: async () => {
      const answer = answers[calls];
      calls += 1;
      if (answer === undefined) throw new Error('asked once more than expected');
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { http, calls: () => calls };
}

describe('createHttpClient', () => {
  it('tries again after 429, 5xx and broken connections', async () => {
    const { http } = clientOf([
      new Response('', { status: 429 }),
      new TypeError('fetch failed'),
      new Response('fine'),
    ]);
    expect(await http(url, {})).toEqual({ status: 200, text: 'fine' });
  });

  it('hands on a refusal that would be the same again', async () => {
    const { http, calls } = clientOf([new Response('no', { status: 400 })]);
    expect(await http(url, {})).toEqual({ status: 400, text: 'no' });
    expect(calls()).toBe(1);
  });

  it('gives up with the service’s name and never the URL', async () => {
    const { http } = clientOf([
      new Response('', { status: 503 }),
      new Response('', { status: 503 }),
      new Response('', { status: 503 }),
    ]);
    const error: unknown = await http(url, {}).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'NETWORK_UNREACHABLE', context: { network: 'Solana test' } });
    expect(String(error)).not.toContain('SECRET');
  });

  it('ends with the reason of an abort', async () => {
    const { http } = clientOf([new Error('broken')]);
    const reason = new Error('enough');
    await expect(http(url, {}, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('keeps no more requests in flight than it may', async () => {
    let inFlight = 0;
    let most = 0;
    const http = createHttpClient({
      service: 'Solana test',
      timeoutMs: 1_000,
      attempts: 1,
      backoffMs: 1,
      maxInFlight: 4,
      fetch: async () => {
        inFlight += 1;
        most = Math.max(most, inFlight);
        await new Promise((resolve) => setImmediate(resolve));
        inFlight -= 1;
        return new Response('');
      },
    });
    await Promise.all(Array.from({ length: 50 }, () => http(url, {})));
    expect(most).toBe(4);
  });
});
