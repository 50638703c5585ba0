/** `npm run bench [-- name ...] [--bots n] [--seconds s] [--warm-up s] [--pairs n] [--rate n] [--trades n] [--seed text]` */
import { botsReal } from './bots-real.ts';
import { botsStub } from './bots-stub.ts';
import { fastSwapBsc } from './fast-swap-bsc.ts';
import { fastSwapSolana } from './fast-swap-solana.ts';
import { InterruptedError } from './lib/interruption.ts';
import { readOptions, type BenchOptions } from './lib/options.ts';
import { formatTable, machineLoad, type Figure } from './lib/report.ts';
import { records } from './records.ts';
import { start } from './start.ts';
import { swapBsc } from './swap-bsc.ts';
import { swapSolana } from './swap-solana.ts';
import { webConsole } from './web-console.ts';
import { webSignin } from './web-signin.ts';

const benchmarks = {
  'swap-bsc': swapBsc,
  'swap-solana': swapSolana,
  'fast-swap-bsc': fastSwapBsc,
  'fast-swap-solana': fastSwapSolana,
  'bots-real': botsReal,
  'bots-stub': botsStub,
  records,
  start,
  'web-signin': webSignin,
  'web-console': webConsole,
} satisfies Record<string, (options: BenchOptions) => Promise<Figure[]>>;

const { names, options } = readOptions(process.argv.slice(2));
const unknown = names.filter((name) => !(name in benchmarks));
if (unknown.length > 0)
  throw new Error(`No benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}`);

const figures: Figure[] = [];
for (const [name, measure] of Object.entries(benchmarks)) {
  if (names.length > 0 && !names.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  figures.push(...(await measure(options).catch(endIfInterrupted)));
  figures.push({ claim: `${name}: load average when it ended`, measured: machineLoad() });
}
process.stdout.write(`${formatTable(figures)}\n`);
process.exitCode = figures.some(({ isOver }) => isOver) ? 1 : 0;

function endIfInterrupted(error: unknown): never {
  // What was started has been stopped; what was under way may still hold the process.
  if (error instanceof InterruptedError) process.exit(130);
  throw error;
}
