import { closeSync, copyFileSync, ftruncateSync, fstatSync, openSync, readSync } from 'node:fs';

const MAX_BYTES = 5 * 1024 * 1024;
const CHECK_INTERVAL_MS = 60_000;

export interface LogFile {
  /** For a child's stdout and stderr. Opened for appending, so that it can be truncated under the child. */
  fd: number;
  /** The last few kilobytes written since it was opened. */
  tail(): string;
  close(): void;
}

/** Opens a log that never grows much past 5 MB: what is older moves to `<path>.1`. */
export function openLogFile(path: string): LogFile {
  const fd = openSync(path, 'a+', 0o600);
  const rotate = (): void => {
    if (fstatSync(fd).size < MAX_BYTES) return;
    copyFileSync(path, `${path}.1`);
    ftruncateSync(fd);
  };
  rotate();
  const openedAt = fstatSync(fd).size;
  const timer = setInterval(rotate, CHECK_INTERVAL_MS);
  timer.unref();
  return {
    fd,
    tail() {
      const buffer = Buffer.alloc(4096);
      const from = Math.max(openedAt, fstatSync(fd).size - buffer.length);
      return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, from)).trim();
    },
    close() {
      clearInterval(timer);
      closeSync(fd);
    },
  };
}
