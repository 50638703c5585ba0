import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { prepareBinaries, type PostgresBinaries } from './binaries.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { withParentDeathSignal } from './parent-death-signal.ts';
import { postgresEnvironment } from './settings.ts';
import { canEnter, resolveServiceUser, type ServiceUser } from './service-user.ts';

export const SUPERUSER = 'kervan';

/** Where clusters go when root's data directory lies where no other user can enter. */
const OUTSIDE = '/var/lib/kervan';

export interface Cluster {
  /** The cluster's real path. */
  dir: string;
  password: string;
  user: ServiceUser | undefined;
  binaries: PostgresBinaries;
}

/**
 * Makes the cluster of this data directory ready to start; creates it (initdb, about a second) when there is
 * none. Run by one process at a time.
 *
 * Layout of `<dataDir>/postgres`: `cluster/`, `password` (0600), `postgres.log`, and, when needed, `runtime/`
 * (a copy of the programs). As root, the cluster belongs to an unprivileged user and the data directory is made
 * passable (o+x, not listable) for it. Folders above are never changed: when one of them is closed (root's
 * home), `cluster` is a link to a folder under /var/lib/kervan.
 */
export async function openCluster(dataDir: string): Promise<Cluster> {
  const base = join(dataDir, 'postgres');
  mkdirSync(base, { recursive: true, mode: 0o700 });
  const link = join(base, 'cluster');
  const existing = existsSync(link) ? statSync(link) : undefined;
  const ownUid = process.getuid?.();
  if (existing !== undefined && ownUid !== undefined && ownUid !== 0 && existing.uid !== ownUid) {
    throw new EmbeddedPostgresError('POSTGRES_WRONG_OWNER', {
      path: link,
      ownerUid: existing.uid,
      uid: ownUid,
    });
  }

  const user = resolveServiceUser(existing);
  if (user !== undefined) {
    for (const folder of [dataDir, base]) chmodSync(folder, statSync(folder).mode | 0o001);
  }
  const isReachable = user === undefined || canEnter(realpathSync(base), user);
  const dir = isReachable ? join(realpathSync(base), 'cluster') : placeOutside(link);
  const binaries = prepareBinaries(join(isReachable ? base : dirname(dir), 'runtime'), user);

  const passwordFile = join(base, 'password');
  if (!existsSync(dir)) {
    writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    await createCluster(dir, { user, initdb: binaries.initdb, passwordFile });
  }
  if (!existsSync(passwordFile)) {
    throw new EmbeddedPostgresError('POSTGRES_PASSWORD_MISSING', { path: passwordFile });
  }
  return { dir, user, binaries, password: readFileSync(passwordFile, 'utf8') };
}

/** Puts the cluster where the service user can reach it, and a link to it in the data directory. */
function placeOutside(link: string): string {
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true) return readlinkSync(link);
  const home = join(OUTSIDE, randomBytes(8).toString('hex'));
  mkdirSync(home, { recursive: true, mode: 0o711 });
  const dir = join(home, 'cluster');
  symlinkSync(dir, link);
  return dir;
}

/** Creates the cluster under another name first: one that initdb did not finish must never be taken for one. */
async function createCluster(
  dir: string,
  init: { user: ServiceUser | undefined; initdb: string; passwordFile: string },
): Promise<void> {
  const { user, passwordFile } = init;
  for (const name of readdirSync(dirname(dir))) {
    if (name.startsWith(`${basename(dir)}.init`)) rmSync(join(dirname(dir), name), { recursive: true });
  }
  const draft = `${dir}.init-${randomBytes(4).toString('hex')}`;
  mkdirSync(draft, { mode: 0o700 });
  if (user !== undefined) chownSync(draft, user.uid, user.gid);

  const args = [
    `--pgdata=${draft}`,
    `--username=${SUPERUSER}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    `--pwfile=${user === undefined ? passwordFile : '/dev/stdin'}`,
  ];
  // The service user may be unable to walk to the password file, so it is handed over open, as standard input;
  // opening that checks the owner again, hence the change for the moment.
  const stdin = openSync(passwordFile, 'r');
  try {
    if (user !== undefined) fchownSync(stdin, user.uid, user.gid);
    await runInitdb(init.initdb, args, { stdin, user, cwd: dirname(dir) });
  } finally {
    if (user !== undefined) fchownSync(stdin, 0, 0);
    closeSync(stdin);
  }
  renameSync(draft, dir);
}

async function runInitdb(
  initdb: string,
  args: string[],
  how: { stdin: number; user: ServiceUser | undefined; cwd: string },
): Promise<void> {
  const [command, commandArgs] = withParentDeathSignal('KILL', initdb, args);
  const child = spawn(command, commandArgs, {
    cwd: how.cwd,
    env: postgresEnvironment(),
    stdio: [how.stdin, 'pipe', 'pipe'],
    detached: true,
    ...how.user,
  });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  child.stderr?.on('data', (chunk) => (output += String(chunk)));
  const exit = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(String(code ?? signal)));
  });
  if (exit !== '0') throw new EmbeddedPostgresError('POSTGRES_INIT_FAILED', { exit, output: output.trim() });
}
