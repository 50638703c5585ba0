/** The BSC half as a process of its own, for tests that kill it. */
import { startBscSandbox } from '../src/bsc/start.ts';

const [dataDir = '', snapshotEvery = '2000'] = process.argv.slice(2);
const retention = { snapshotEvery: Number(snapshotEvery), keptBlocks: 1_000 };
const { url } = await startBscSandbox({ dataDir, port: 0, retention });
process.send?.(url);
