import { routes, type Route, type RouteName } from '@kervan/contract';
import { isApiError } from './api-error.ts';
import type { CallArgs, CallData, Send, SendOptions } from './send.ts';
import type { Session } from './session.ts';

export interface Api {
  /** One call of the API, signed in where the route needs it. Throws ApiError. */
  call<N extends RouteName>(
    name: N,
    args: CallArgs<N>,
    options?: Omit<SendOptions, 'token'>,
  ): Promise<CallData<N>>;
}

/** Calls with the session's token. Any 401 ends the session (spec §8). */
export function createApi(send: Send, session: Pick<Session, 'freshToken' | 'end' | 'get'>): Api {
  /** A late answer to the last session's token says nothing about this one. */
  function isCurrent(token: string | undefined): boolean {
    const state = session.get();
    return token === undefined || state.status !== 'signed-in' || state.token === token;
  }

  return {
    async call(name, args, options) {
      const route: Route = routes[name];
      const token = route.auth ? await session.freshToken() : undefined;
      try {
        return await send(name, args, { ...options, ...(token !== undefined && { token }) });
      } catch (error) {
        if (isApiError(error) && error.status === 401 && isCurrent(token)) session.end();
        throw error;
      }
    },
  };
}
