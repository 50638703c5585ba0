// Runs an npm script of package.json on the Node version Kervan needs, after installing what is missing.
// This file alone must run on old Node versions (18 and up) and without dependencies.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 24;
const WATCH_PARENT_MS = 250;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [script, ...args] = process.argv.slice(2);
const isWindows = process.platform === 'win32';

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Whether node_modules holds what the lockfile asks for. */
function isInstalled() {
  const installedPath = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedPath)) return false;
  // npm writes this file at the end of every install. A newer lockfile, as after a checkout, may still ask for
  // the very same packages.
  if (statSync(installedPath).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs) return true;
  const installed = readJson('node_modules/.package-lock.json').packages;
  return Object.entries(readJson('package-lock.json').packages).every(([path, wanted]) => {
    if (!path.startsWith('node_modules/') || wanted.link) return true;
    if (installed[path]) return installed[path].version === wanted.version;
    // npm leaves out what is optional and does not fit this machine. The C library is not looked at.
    if (!wanted.optional) return false;
    return wanted.os === undefined || wanted.libc !== undefined || !fitsThisMachine(wanted);
  });
}

function fitsThisMachine({ os, cpu }) {
  return [os].flat().includes(process.platform) && (cpu === undefined || [cpu].flat().includes(process.arch));
}

// Not npm ci: it refuses the whole install when the lockfile lacks an optional package for some other platform,
// as happens whenever the registry that made the lockfile does not have it. This keeps to the lockfile too and
// leaves it unchanged. npm warns of packages that need a newer Node than its own; ours comes with them.
// NODE_ENV=production would leave out what builds the web app.
const INSTALL = ['install', '--no-save', '--include=dev', '--loglevel=error'];

function install() {
  process.stdout.write('Installing packages (first start, or the lockfile changed)\n');
  // With the npm that runs us, where there is one: another may be first on the path.
  const npm = process.env.npm_execpath;
  const { status, error } = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...INSTALL], { cwd: root, stdio: 'inherit' })
    : spawnSync(['npm', ...INSTALL].join(' '), { cwd: root, stdio: 'inherit', shell: true });
  if (status !== 0) {
    fail(
      `Installing failed${error ? ` (${error.message})` : ''}; npm's reason is above. ` +
        'Check the network and the npm registry, then try again, or run npm install yourself.',
    );
  }
}

/** npm scripts find the Node that came with the packages first; it is absent on platforms it is not built for. */
function checkNode(env) {
  const { stdout } = spawnSync('node --version', { env, shell: true, encoding: 'utf8' });
  const version = stdout?.trim() ?? '';
  if (Number(/^v(\d+)\./.exec(version)?.[1]) >= NEEDED_MAJOR) return;
  fail(
    `Kervan needs Node ${NEEDED_MAJOR} or newer; ${version ? `this is ${version}` : 'none was found'}. ` +
      `No Node that runs on ${process.platform}-${process.arch} came with the packages: ` +
      `install Node ${NEEDED_MAJOR} from https://nodejs.org, or run npm install if optional packages were left out.`,
  );
}

function quote(argument) {
  return isWindows ? `"${argument.replaceAll('"', '\\"')}"` : `'${argument.replaceAll("'", "'\\''")}'`;
}

/** Who started us: the parent and, where a shell stands between npm and us, npm. */
function ancestors() {
  const { ppid } = process;
  if (process.platform !== 'linux' || !process.env.npm_lifecycle_event) return `${ppid}`;
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${ppid}/stat`, 'utf8'));
    return name.endsWith('sh') ? `${ppid} ${parent}` : `${ppid}`;
  } catch {
    return 'gone';
  }
}

const command = readJson('package.json').scripts[script];
if (command === undefined) fail(`There is no script "${script}" in package.json`);
if (!isInstalled()) install();

const env = { ...process.env, KERVAN_WRAPPED: '1' };
// On Windows the variable may be spelled Path, and a second one would hide it.
const pathName = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
env[pathName] = [join(root, 'node_modules', '.bin'), env[pathName]].join(delimiter);
checkNode(env);

// The shell makes way for the last command, so that signals reach that and its exit code reaches us.
const steps = command.split(' && ');
const last = [steps.pop(), ...args.map(quote)].join(' ');
const line = [...steps, isWindows ? last : `exec ${last}`].join(' && ');

const child = spawn(line, {
  cwd: root,
  env,
  shell: true,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// npm, or the shell it runs us in, may end without passing a signal on.
const startedBy = ancestors();
setInterval(() => {
  if (ancestors() !== startedBy) child.kill('SIGTERM');
}, WATCH_PARENT_MS).unref();

child.on('error', (error) => fail(`Could not run ${script}: ${error.message}`));
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  // Ends the way the child ended, so that whoever runs us sees the signal too.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
