/** The Solana half as a process of its own, for tests that kill it. */
import { startSolanaSandbox } from '../src/solana/start.ts';

const [dataDir = '', checkpointRecords = '4096'] = process.argv.slice(2);
const { url, wsUrl, tokens } = await startSolanaSandbox({
  dataDir,
  port: 0,
  retention: { checkpointRecords: Number(checkpointRecords), keptSegments: 3 },
});
process.send?.({ url, wsUrl, tokens });
