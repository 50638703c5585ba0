import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, migrate, startEmbeddedPostgres, type EmbeddedPostgres } from '../src/index.ts';

let dataDir: string;
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kervan-migrate-'));
  postgres = await startEmbeddedPostgres({ dataDir });
});

afterAll(async () => {
  await postgres.stop();
  await rm(dataDir, { recursive: true });
});

test('several processes can migrate at once and once more later', async () => {
  const databases = [connect(postgres.url), connect(postgres.url), connect(postgres.url)];
  await Promise.all(databases.map((db) => migrate(db)));
  const [db] = databases;
  if (!db) throw new Error('unreachable');
  await migrate(db);
  const instance = await db.selectFrom('instance').selectAll().executeTakeFirstOrThrow();
  expect(instance.halted).toBe(false);
  await Promise.all(databases.map((each) => each.destroy()));
});
