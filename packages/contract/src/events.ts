import { z } from 'zod';
import { errorContextSchema } from './envelope.ts';
import {
  actionSchema,
  chainSchema,
  decimalSchema,
  idSchema,
  reasonSchema,
  tradeStatusSchema,
} from './primitives.ts';
import { botLogSchema } from './schemas/bots.ts';
import { tradeSchema } from './schemas/trades.ts';
import { volumeStateSchema } from './schemas/volume.ts';

/** Socket events that the server sends (spec §3, §4); a socket hears only its own user's. */
export const serverEvents = {
  'bot:status': z.strictObject({
    botId: idSchema,
    chain: chainSchema,
    status: z.enum(['started', 'stopped']),
    /** What has just happened; `scheduled`: a run began, and the next one is planned. */
    message: z.enum(['started', 'stopped', 'scheduled']),
    nextRunAt: z.number().int().nullable(),
    intervalSec: z.number().nullable(),
    is_active: z.boolean(),
  }),
  'trade:executed': z.strictObject({
    botId: idSchema.nullable(),
    chain: chainSchema,
    tradeId: idSchema,
    status: tradeStatusSchema,
    action: actionSchema,
    /** Native amount, the same as amountSol. */
    amount: decimalSchema.nullable(),
    amountSol: decimalSchema.nullable(),
    amountTokens: decimalSchema.nullable(),
    transactionHash: z.string().nullable(),
    /** Why it did not succeed: an English sentence, and the code and context that give it in any language. */
    error: z.string().nullable(),
    errorCode: z.string().nullable(),
    errorContext: errorContextSchema.nullable(),
  }),
  'trade:updated': tradeSchema,
  'bot:log': botLogSchema,
  /** A volume session has moved on: its figures and wallets are to be asked for again. */
  'volume:updated': z.strictObject({
    sessionId: idSchema,
    chain: chainSchema,
    state: volumeStateSchema,
    isRunning: z.boolean(),
    currentCycle: z.number().int(),
  }),
  'halt:updated': z.strictObject({ halted: z.boolean() }),
  error: reasonSchema,
} as const;

export type ServerEventName = keyof typeof serverEvents;
export type ServerEvent<N extends ServerEventName> = z.output<(typeof serverEvents)[N]>;
export type ServerToClientEvents = { [N in ServerEventName]: (payload: ServerEvent<N>) => void };

/** Socket events that the client sends. */
export const botCommandSchema = z.strictObject({ botId: idSchema });
export interface ClientToServerEvents {
  'bot:start': (payload: z.input<typeof botCommandSchema>) => void;
  'bot:stop': (payload: z.input<typeof botCommandSchema>) => void;
}
