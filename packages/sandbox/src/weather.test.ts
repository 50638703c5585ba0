import { describe, expect, it } from 'vitest';
import { createWeather } from './weather.ts';

const request = { method: 'POST', path: '/', query: new URLSearchParams(), body: undefined };

describe('weather', () => {
  it('is clear at first and changes field by field', () => {
    const station = createWeather();
    expect(station.current()).toMatchObject({ latencyMs: 0, unreachable: false, failBundleLeg: null });
    station.change({ latencyMs: 10 });
    expect(station.change({ failBundleLeg: 0 })).toMatchObject({ latencyMs: 10, failBundleLeg: 0 });
    expect(() => station.change({ latencyMs: -1 })).toThrow('Too small');
    expect(() => station.change({ storm: true })).toThrow('Unrecognized key');
    expect(() => station.change(null)).toThrow('expected object');
  });

  it('draws fates by their rates', () => {
    const draws = [0.2, 0.9, 0.4, 0.9, 0.9];
    const station = createWeather(() => draws.shift() ?? 1);
    station.change({ dropSendRate: 0.3, loseAnswerRate: 0.5 });
    expect(station.drawSendFate()).toBe('drop');
    expect(station.drawSendFate()).toBe('lose-answer');
    expect(station.drawSendFate()).toBe('deliver');
  });

  it('stands between a request and its handler', async () => {
    let handled = 0;
    const station = createWeather(() => 0.5);
    const handler = station.over(() => {
      handled += 1;
      return { status: 200, body: {} };
    });
    expect(await handler(request)).toMatchObject({ status: 200 });
    station.change({ tooManyRequestsRate: 0.6 });
    expect(await handler(request)).toMatchObject({ status: 429 });
    station.change({ unreachable: true });
    expect(await handler(request)).toEqual({ destroy: true });
    expect(handled).toBe(1);
  });
});
