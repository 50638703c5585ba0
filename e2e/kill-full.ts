/** `npm run test:kill`: the kill test at its full length. */
import { spawnSync } from 'node:child_process';

const kills = process.argv[2] ?? '30';
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', 'e2e/kill.test.ts'],
  { stdio: 'inherit', env: { ...process.env, KERVAN_KILLS: kills } },
);
process.exitCode = status ?? 1;
