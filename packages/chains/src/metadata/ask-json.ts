import type { z } from 'zod';
import { unreachable, type HttpClient } from '../solana/http.ts';

/** One GET; undefined for 404. Throws NETWORK_UNREACHABLE for whatever is no proper answer. */
export async function askJson<T extends z.ZodType>(
  { http, service }: { readonly http: HttpClient; readonly service: string },
  schema: T,
  url: URL,
  options: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<z.output<T> | undefined> {
  const headers = { accept: 'application/json', ...options.headers };
  const answer = await http(url, { headers }, options.signal);
  if (answer.status === 404) return undefined;
  try {
    if (answer.status !== 200) throw new Error(`HTTP ${answer.status}`);
    return schema.parse(JSON.parse(answer.text));
  } catch (cause) {
    throw unreachable(service, cause);
  }
}
