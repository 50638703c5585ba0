import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../../apps/web/ensure-built.ts', import.meta.url));

/** Before the first test: builds the web app if its sources changed, the way `npm start` does. */
export async function setup(): Promise<void> {
  // Under the test runner's own NODE_ENV the build would be React's for development.
  const build = spawn(process.execPath, [SCRIPT], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [code] = (await once(build, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`building the web app ended with code ${code}`);
}
