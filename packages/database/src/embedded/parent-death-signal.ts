import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Wraps a command so that Linux sends it `signal` when the process that started it dies, however that dies.
 * Where that is not to be had the command is returned as it is, and the next start ends the orphan.
 */
export function withParentDeathSignal(
  signal: 'INT' | 'KILL',
  command: string,
  args: string[],
): [command: string, args: string[]] {
  if (process.platform !== 'linux') return [command, args];
  const setpriv = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'setpriv'))
    .find((path) => existsSync(path));
  if (setpriv === undefined) return [command, args];
  return [setpriv, ['--pdeathsig', signal, '--', command, ...args]];
}
