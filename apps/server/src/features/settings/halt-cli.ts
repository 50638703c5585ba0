import { isHalted, setHalted } from '../../engine/halt.ts';
import { openDatabase } from '../../lib/open-database.ts';

const USAGE = 'npm run halt -- on | off | status';

const [command] = process.argv.slice(2);
if (command !== 'on' && command !== 'off' && command !== 'status') {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}

const database = await openDatabase(
  process.env.KERVAN_DATA_DIR || './data',
  process.env.DATABASE_URL || undefined,
);
try {
  if (command !== 'status') await setHalted(database.db, command === 'on');
  const halted = await isHalted(database.db);
  process.stdout.write(halted ? 'Trading is halted: nothing is signed.\n' : 'Trading is not halted.\n');
} finally {
  await database.close();
}
