import { readdirSync, readFileSync } from 'node:fs';

/** CPU seconds that processes have used so far. */
export interface CpuTime {
  /** By the process itself, all its threads. */
  readonly own: number;
  /** By its descendants, those that have ended included. */
  readonly descendants: number;
}

interface Stat {
  readonly parent: number;
  readonly own: number;
  readonly reaped: number;
}

/** /proc counts in ticks of a hundredth of a second on every Linux (USER_HZ, proc(5)). */
const TICKS_PER_SECOND = 100;

/** What a process and everything below it have used. Linux only; zero for a process that is gone. */
export function cpuTime(pid: number): CpuTime {
  const stats = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    if (stat) stats.set(Number(name), stat);
  }
  const of = (root: number): CpuTime => {
    const stat = stats.get(root);
    if (!stat) return { own: 0, descendants: 0 };
    let descendants = stat.reaped;
    for (const [child, { parent }] of stats) {
      if (parent !== root) continue;
      const used = of(child);
      descendants += used.own + used.descendants;
    }
    return { own: stat.own, descendants };
  };
  return of(pid);
}

/** Memory of a process that is in RAM, in bytes. */
export function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

function readStat(pid: number): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // It ended between the listing and the look.
    return undefined;
  }
  // The name in brackets may hold blanks and brackets itself. The first field after it is the third of proc(5).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const seconds = (field: number): number => Number(fields[field - 3]) / TICKS_PER_SECOND;
  return { parent: Number(fields[1]), own: seconds(14) + seconds(15), reaped: seconds(16) + seconds(17) };
}
