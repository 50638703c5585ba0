import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { HttpHandler } from './http.ts';

/**
 * The bad days a sandbox chain can be given, for tests and demonstrations. A field that makes no sense
 * for a chain is accepted there and has no effect. Weather lives in memory: a restart clears the sky.
 */
export const weatherSchema = z.strictObject({
  /** Added before every RPC answer. */
  latencyMs: z.int().min(0).max(10_000),
  /** Share of RPC requests answered with HTTP 429. */
  tooManyRequestsRate: z.number().min(0).max(1),
  /** Share of sends that are acknowledged with the right id and never arrive. */
  dropSendRate: z.number().min(0).max(1),
  /** Share of sends that arrive, and whose connection is cut before the answer. */
  loseAnswerRate: z.number().min(0).max(1),
  /** While true every blockhash counts as expired (Solana). */
  expireBlockhashes: z.boolean(),
  /** Index of the bundle leg that is made to fail (Solana). */
  failBundleLeg: z.int().min(0).nullable(),
  /** Every RPC connection is destroyed. */
  unreachable: z.boolean(),
});

export type Weather = z.infer<typeof weatherSchema>;

/** What becomes of a send: executed and answered, acknowledged only, or executed without an answer. */
export type SendFate = 'deliver' | 'drop' | 'lose-answer';

const clearSky: Weather = {
  latencyMs: 0,
  tooManyRequestsRate: 0,
  dropSendRate: 0,
  loseAnswerRate: 0,
  expireBlockhashes: false,
  failBundleLeg: null,
  unreachable: false,
};

const patchSchema = weatherSchema.partial();

export interface WeatherStation {
  current(): Weather;
  /** Replaces the given fields and returns the whole; throws a ZodError on anything else. */
  change(patch: unknown): Weather;
  /** Called after every change. */
  onChange(listener: (weather: Weather) => void): void;
  /** Draws the fate of one send. */
  drawSendFate(): SendFate;
  /** Puts a handler under the weather: unreachable, latency and 429 happen before it is called. */
  over(handler: HttpHandler): HttpHandler;
}

/** One chain's weather, clear at first. `random` draws from 0 (inclusive) to 1 (exclusive). */
export function createWeather(random: () => number = Math.random): WeatherStation {
  let weather = clearSky;
  const listeners: ((weather: Weather) => void)[] = [];

  function drawSendFate(): SendFate {
    if (random() < weather.dropSendRate) return 'drop';
    return random() < weather.loseAnswerRate ? 'lose-answer' : 'deliver';
  }

  return {
    current: () => weather,
    change(patch) {
      const given = Object.entries(patchSchema.parse(patch)).filter(([, value]) => value !== undefined);
      weather = { ...weather, ...Object.fromEntries(given) };
      for (const listener of listeners) listener(weather);
      return weather;
    },
    onChange: (listener) => void listeners.push(listener),
    drawSendFate,
    over: (handler) => async (request) => {
      if (weather.unreachable) return { destroy: true };
      if (weather.latencyMs > 0) await delay(weather.latencyMs);
      // Asked again after the wait: the node may have gone meanwhile.
      if (weather.unreachable) return { destroy: true };
      if (random() < weather.tooManyRequestsRate) {
        return {
          status: 429,
          body: { jsonrpc: '2.0', id: null, error: { code: 429, message: 'Too many requests' } },
        };
      }
      return handler(request);
    },
  };
}
