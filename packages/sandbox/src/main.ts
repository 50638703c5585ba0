/** The sandbox process: both local chains, as a node is in real life a process apart from its users. */
import { z } from 'zod';
import { startBscSandbox } from './bsc/start.ts';
import { startSolanaSandbox } from './solana/start.ts';

const port = z.coerce.number().int().min(0).max(65_535).default(0);
const environmentSchema = z.object({
  KERVAN_DATA_DIR: z.string().min(1).default('./data'),
  KERVAN_SANDBOX_SOLANA_PORT: port,
  KERVAN_SANDBOX_BSC_PORT: port,
});

const environment = environmentSchema.parse(process.env);
const dataDir = environment.KERVAN_DATA_DIR;
const chains = await Promise.all([
  startSolanaSandbox({ dataDir, port: environment.KERVAN_SANDBOX_SOLANA_PORT }),
  startBscSandbox({ dataDir, port: environment.KERVAN_SANDBOX_BSC_PORT }),
]);
const [solana, bsc] = chains;

let closing: Promise<unknown> | undefined;
function close(): void {
  closing ??= Promise.all(chains.map((chain) => chain.close())).then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`The sandbox did not close cleanly: ${String(error)}\n`);
      process.exit(1);
    },
  );
}
process.on('SIGTERM', close);
process.on('SIGINT', close);
// The parent is gone: nobody is left to end this process.
process.on('disconnect', close);

const ready = { ready: true, solanaPort: solana.port, bscPort: bsc.port };
process.stdout.write(`${JSON.stringify(ready)}\n`);
process.send?.(ready);
