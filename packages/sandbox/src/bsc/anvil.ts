import { spawn, execFileSync, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createNodeClient, type NodeClient } from './node-client.ts';

export const chainId = 31_337;

/** As BSC's. A block takes the sends of a few milliseconds at most. */
const blockGasLimit = 140_000_000;

/** A running anvil. It mines only when told (`evm_mine`), has no accounts of its own and no base fee. */
export interface AnvilNode {
  client: NodeClient;
  pid: number;
  /** Resolves when the process has ended, for whatever reason. */
  exited: Promise<void>;
  /** Ends the process. Nothing is saved: what must last is in the snapshot and the journal. */
  stop(): Promise<void>;
}

const startTimeoutMs = 20_000;
const pidFilePattern = /^anvil-(\d+)\.pid$/;

/**
 * Starts anvil on a free loopback port, from a state file if one is given. `directory` takes its pid file.
 *
 * Shanghai, because on later hardforks a block's cost grows with the chain's height. Only the states of the last
 * few blocks are kept, because otherwise they spill by the gigabyte under the home directory. Transactions are
 * mined in the order of their arrival, so that a replay makes the same blocks.
 */
export async function startAnvil(options: { directory: string; stateFile?: string }): Promise<AnvilNode> {
  const flags = ['--host', '127.0.0.1', '--port', '0', '--chain-id', String(chainId)];
  flags.push(
    '--hardfork',
    'shanghai',
    '--base-fee',
    '0',
    '--accounts',
    '0',
    '--no-mining',
    '--order',
    'fifo',
  );
  flags.push('--gas-limit', String(blockGasLimit));
  flags.push('--prune-history', '16', '--no-request-size-limit', '--cache-path', options.directory);
  if (options.stateFile !== undefined) flags.push('--load-state', options.stateFile);
  const [command, ...args] = [...dieWithParent(), anvilBinary(), ...flags];
  const child = spawn(command ?? '', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const port = await listeningPort(child);
  const { pid } = child;
  if (pid === undefined) throw new Error('anvil has no process id');
  const pidFile = path.join(options.directory, `anvil-${pid}.pid`);
  writeFileSync(pidFile, '');
  void exited.then(() => rmSync(pidFile, { force: true }));
  const client = createNodeClient(port);
  return {
    client,
    pid,
    exited,
    async stop() {
      client.close();
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Ends anvils that an earlier run in this directory left behind, and only anvils: a pid may be anyone's by now. */
export function endOrphans(directory: string): void {
  for (const file of readdirSync(directory)) {
    const pid = Number(pidFilePattern.exec(file)?.[1]);
    if (Number.isNaN(pid)) continue;
    if (isOurAnvil(pid, directory)) process.kill(pid, 'SIGKILL');
    rmSync(path.join(directory, file), { force: true });
  }
}

function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`anvil did not listen within ${startTimeoutMs} ms: ${output.slice(-2000)}`));
    }, startTimeoutMs);
    const read = (chunk: Buffer): void => {
      // Once the port is known the output is only drained, so that the pipe never fills up.
      if (output === 'known') return;
      output += chunk.toString('utf8');
      const port = Number(/Listening on 127\.0\.0\.1:(\d+)/.exec(output)?.[1]);
      if (Number.isNaN(port)) return;
      output = 'known';
      clearTimeout(timer);
      resolve(port);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    child.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(`anvil ended at start (${child.exitCode}): ${output.slice(-2000)}`));
    });
  });
}

function anvilBinary(): string {
  const system = { linux: 'linux', darwin: 'darwin', win32: 'win32' }[process.platform as string];
  const cpu = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  return createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${system}-${cpu}/bin/${file}`);
}

/** On Linux the kernel ends anvil with its parent, even a killed one; elsewhere the next start does. */
function dieWithParent(): string[] {
  if (process.platform !== 'linux') return [];
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((file) => existsSync(file));
  return setpriv === undefined ? [] : [setpriv, '--pdeathsig', 'KILL'];
}

/** Whether the process is an anvil started for this directory, which is part of its command line. */
function isOurAnvil(pid: number, directory: string): boolean {
  try {
    if (process.platform === 'win32') {
      const filter = ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'];
      return execFileSync('tasklist', filter, { encoding: 'utf8' }).startsWith('"anvil.exe"');
    }
    const commandLine =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        : execFileSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' });
    return commandLine.includes('anvil') && commandLine.includes(directory);
  } catch {
    // No such process.
    return false;
  }
}
