import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SUPERUSER } from './cluster.ts';
import { isPostmasterReady, readPostmasterPid, readPostmasterPort } from './orphans.ts';
import { isAlive } from './process-lock.ts';

/** Connection string, a secret, of the embedded server that runs on this data directory; undefined when none does. */
export function findEmbeddedPostgres(dataDir: string): string | undefined {
  const base = join(resolve(dataDir), 'postgres');
  const [cluster, password] = [join(base, 'cluster'), join(base, 'password')];
  if (!existsSync(cluster) || !existsSync(password)) return undefined;
  const dir = realpathSync(cluster);
  const pid = readPostmasterPid(dir);
  const port = readPostmasterPort(dir);
  if (pid === undefined || port === undefined || !isAlive(pid) || !isPostmasterReady(dir, pid))
    return undefined;
  return `postgres://${SUPERUSER}:${readFileSync(password, 'utf8')}@127.0.0.1:${port}/postgres`;
}
