import { createApiClient } from '../../lib/api-client.ts';
import type { Person } from './person.ts';
import type { Product } from './product.ts';

/** The API, signed in with the session of a person's page. */
export async function apiOf({ stack }: Product, { page }: Person) {
  const api = createApiClient(stack.url);
  api.signIn((await page.evaluate<string | null>("localStorage.getItem('auth_token')")) ?? '');
  return api;
}
