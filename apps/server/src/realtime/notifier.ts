import type { ServerEvent, ServerEventName } from '@kervan/contract';

/** Tells a user's sockets, on whatever process they are, what has happened. Call it after the commit. */
export interface Notifier {
  emit<N extends ServerEventName>(userId: string, event: N, payload: ServerEvent<N>): void;
  /** The same to everyone, for what holds for the whole installation. */
  emitToAll<N extends ServerEventName>(event: N, payload: ServerEvent<N>): void;
}
