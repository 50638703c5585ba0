import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';

/** The unprivileged user Postgres runs as when this process is root. */
export interface ServiceUser {
  uid: number;
  gid: number;
}

const CANDIDATES = ['postgres', '_postgres', 'nobody'];

/**
 * Whom Postgres must run as: `undefined` means as ourselves. Postgres refuses to run as root, so root gives it
 * the owner of the existing cluster, or else the first of the usual system users.
 *
 * @param clusterOwner owner of the cluster directory, when there is one
 */
export function resolveServiceUser(clusterOwner: ServiceUser | undefined): ServiceUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (clusterOwner !== undefined && clusterOwner.uid !== 0) return clusterOwner;
  // initdb looks its user up by name, so a number that is not in the list of users would not do.
  const users = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  );
  for (const name of CANDIDATES) {
    const user = users.get(name);
    if (user !== undefined && user.uid > 0 && user.gid > 0) return user;
  }
  throw new EmbeddedPostgresError('POSTGRES_NO_SERVICE_USER', { tried: CANDIDATES.join(' ') });
}

/** Whether the user can read a file or list a folder, by the plain permission bits of it and all above it. */
export function canRead(path: string, user: ServiceUser): boolean {
  return grants(path, user, statSync(path).isDirectory() ? 0o5 : 0o4) && canEnter(dirname(path), user);
}

/** Whether the user can walk from the root directory into this folder. */
export function canEnter(folder: string, user: ServiceUser): boolean {
  if (!grants(folder, user, 0o1)) return false;
  return folder === dirname(folder) || canEnter(dirname(folder), user);
}

function grants(path: string, user: ServiceUser, bits: number): boolean {
  const { mode, uid, gid } = statSync(path);
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}
