import { parseArgs } from 'node:util';

/** What a run can be asked for; what is not given is the size that the claims name. */
export interface BenchOptions {
  /** Pairs of swaps measured. */
  readonly pairs?: number;
  /** Active bots over both chains. */
  readonly bots?: number;
  /** Measured time, after the warm-up. */
  readonly seconds?: number;
  readonly warmUpSeconds?: number;
  /** Runs a second that `bots-stub` asks for; log lines a second for `web-console`. */
  readonly rate?: number;
  /** Ended trades of `records`. */
  readonly trades?: number;
  /** What the bots' draws begin with: the same seed, the same amounts and delays. */
  readonly seed: string;
  /** A folder for a CPU profile of the server. */
  readonly profile?: string;
}

/** Reads `[name...] [--bots n] [--seconds s] ...`. Throws for what it does not know. */
export function readOptions(args: string[]): { names: string[]; options: BenchOptions } {
  const text = { type: 'string' } as const;
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      pairs: text,
      bots: text,
      seconds: text,
      'warm-up': text,
      rate: text,
      trades: text,
      seed: text,
      profile: text,
    },
  });
  const number = (name: 'pairs' | 'bots' | 'seconds' | 'warm-up' | 'rate' | 'trades'): number | undefined => {
    const given = values[name];
    if (given === undefined) return undefined;
    const parsed = Number(given);
    if (!(parsed > 0)) throw new Error(`--${name} takes a number above zero`);
    return parsed;
  };
  const given = {
    pairs: number('pairs'),
    bots: number('bots'),
    seconds: number('seconds'),
    warmUpSeconds: number('warm-up'),
    rate: number('rate'),
    trades: number('trades'),
    profile: values.profile,
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { names: positionals, options: { ...set, seed: values.seed ?? 'kervan' } };
}
