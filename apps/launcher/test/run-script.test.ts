import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const RUN_SCRIPT = fileURLToPath(new URL('../../../scripts/run.js', import.meta.url));
const YESTERDAY = new Date(Date.now() - 86_400_000);

/** A repository of its own, with a package manager that only notes how it was called. */
describe('scripts/run.js', () => {
  let repository: string;

  const path = (...parts: string[]): string => join(repository, ...parts);
  const writeLock = (file: string, packages: object): void =>
    writeFileSync(path(file), JSON.stringify({ packages }));

  beforeEach(() => {
    repository = mkdtempSync(join(tmpdir(), 'kervan-run-'));
    mkdirSync(path('scripts'));
    mkdirSync(path('node_modules', '.bin'), { recursive: true });
    copyFileSync(RUN_SCRIPT, path('scripts', 'run.js'));
    symlinkSync(process.execPath, path('node_modules', '.bin', 'node'));
    writeFileSync(
      path('echo.js'),
      'process.stdout.write(JSON.stringify(process.argv.slice(2))); process.exitCode = 7;',
    );
    writeFileSync(
      path('wait.js'),
      `process.on('SIGTERM', () => process.exit(5));
      setInterval(() => {}, 1000); process.stdout.write('waiting');`,
    );
    writeFileSync(
      path('npm.js'),
      `require('node:fs').writeFileSync('installed', process.argv.slice(2).join(' '));
      process.exitCode = Number(process.env.NPM_FAILS ?? 0);`,
    );
    writeFileSync(
      path('package.json'),
      JSON.stringify({
        type: 'commonjs',
        scripts: { echo: 'node echo.js', wait: 'node -e "" && node wait.js' },
      }),
    );
    writeFileSync(path('scripts', 'package.json'), '{"type":"module"}');
    writeLock('package-lock.json', { '': {}, 'node_modules/a': { version: '1.0.0' } });
    writeLock('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } });
  });

  afterEach(() => rmSync(repository, { recursive: true }));

  function run(args: string[], env: NodeJS.ProcessEnv = {}): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [path('scripts', 'run.js'), ...args], {
      cwd: repository,
      env: { ...process.env, npm_execpath: path('npm.js'), ...env },
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  }

  function installCommand(): string | undefined {
    try {
      return readFileSync(path('installed'), 'utf8');
    } catch {
      return undefined;
    }
  }

  it('hands arguments on as they are and returns the exit code of the script', () => {
    const args = ['two words', "it's", '--flag=$HOME', '"'];
    expect(run(['echo', ...args])).toEqual({ status: 7, output: JSON.stringify(args) });
    expect(installCommand()).toBeUndefined();
  });

  it('installs when there are no packages', () => {
    rmSync(path('node_modules', '.package-lock.json'));
    expect(run(['echo']).status).toBe(7);
    expect(installCommand()).toMatch(/^install --no-save/);
  });

  it('installs when the lockfile is newer and asks for something else', () => {
    writeLock('package-lock.json', { 'node_modules/a': { version: '1.0.1' } });
    utimesSync(path('node_modules', '.package-lock.json'), YESTERDAY, YESTERDAY);
    run(['echo']);
    expect(installCommand()).toBeDefined();
  });

  it('does not install when a newer lockfile asks for what is there', () => {
    writeLock('package-lock.json', {
      'node_modules/a': { version: '1.0.0' },
      'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['no-such-system'] },
      'node_modules/workspace': { link: true },
    });
    utimesSync(path('node_modules', '.package-lock.json'), YESTERDAY, YESTERDAY);
    expect(run(['echo']).status).toBe(7);
    expect(installCommand()).toBeUndefined();
  });

  it('says what to do when installing fails', () => {
    rmSync(path('node_modules', '.package-lock.json'));
    const { status, output } = run(['echo'], { NPM_FAILS: '1' });
    expect(status).toBe(1);
    expect(output).toContain('Check the network and the npm registry');
  });

  it('names the Node version it needs when only an older one is there', () => {
    rmSync(path('node_modules', '.bin', 'node'));
    writeFileSync(path('node_modules', '.bin', 'node'), '#!/bin/sh\necho v20.1.0\n');
    chmodSync(path('node_modules', '.bin', 'node'), 0o755);
    const { status, output } = run(['echo']);
    expect(status).toBe(1);
    expect(output).toContain('Kervan needs Node 24 or newer; this is v20.1.0');
  });

  it('passes a signal on to the last command of a script and waits for its end', async () => {
    const child = spawn(process.execPath, [path('scripts', 'run.js'), 'wait'], { stdio: 'pipe' });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    const [code]: unknown[] = await once(child, 'exit');
    expect(code).toBe(5);
  });
});
