/** `npm run test:kill`: the kill tests at their full length. */
import { spawnSync } from 'node:child_process';

const [kills = '30', swaps = '50', volumeKills = '20'] = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'e2e',
    'e2e/kill.test.ts',
    'e2e/fast-swap-kill.test.ts',
    'e2e/volume-kill.test.ts',
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      KERVAN_KILLS: kills,
      KERVAN_KILL_SWAPS: swaps,
      KERVAN_VOLUME_KILLS: volumeKills,
    },
  },
);
process.exitCode = status ?? 1;
