import { routes, type Route, type RouteName } from '@kervan/contract';
import { ApiError } from './api-error.ts';
import { readEnvelope, urlOf, type CallArgs } from './send.ts';
import type { Session } from './session.ts';

/**
 * A route whose answer is a file, however large: the browser keeps it on disk, and nothing here limits its time. Throws
 * ApiError, or the caller's own abort.
 */
export async function downloadFile<N extends RouteName>(
  session: Pick<Session, 'freshToken'>,
  name: N,
  args: CallArgs<N>,
  signal: AbortSignal,
): Promise<Blob> {
  const route: Route = routes[name];
  const headers = { authorization: `Bearer ${await session.freshToken()}` };
  try {
    const response = await fetch(urlOf(route, args ?? {}), {
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
      signal,
    });
    if (!response.ok) readEnvelope(response.status, await response.text());
    return await response.blob();
  } catch (error) {
    if (error instanceof ApiError || signal.aborted) throw error;
    throw ApiError.ofClient('NETWORK', { cause: error });
  }
}
