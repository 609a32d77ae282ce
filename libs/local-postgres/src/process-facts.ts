import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** What tells a process from a later one that got the same pid. */
export interface ProcessFacts {
  readonly pid: number;
  /** The command line, arguments joined by one space. */
  readonly command: string;
  /** An opaque mark of when it started, equal for the same process as long as the machine is up. */
  readonly startMark: string;
}

/**
 * Describes a running process, or null when there is none (a zombie counts as none: it holds nothing any more).
 * Reads /proc on Linux and asks `ps` elsewhere.
 */
export async function processFacts(pid: number): Promise<ProcessFacts | null> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

async function fromProc(pid: number): Promise<ProcessFacts | null> {
  try {
    const [stat, cmdline, bootId] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    ]);
    // The second field is the program's name in brackets and may hold spaces and brackets itself: count from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return { pid, command: cmdline.split('\0').join(' ').trim(), startMark: `${bootId.trim()}:${fields[19] ?? ''}` };
  } catch {
    return null;
  }
}

async function fromPs(pid: number): Promise<ProcessFacts | null> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'state=,lstart=,command=', '-p', String(pid)], {
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' },
    });
    // "S    Mon Nov 29 19:41:02 2027 /path/to/program args": lstart is always five words in the C locale.
    const match = /^(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/s.exec(stdout.trim());
    if (match === null || match[1]?.startsWith('Z')) return null;
    return { pid, command: match[3] ?? '', startMark: match[2] ?? '' };
  } catch {
    return null;
  }
}

/** Waits until the process is gone, or `timeoutMs` has passed. @returns true when it is gone */
export async function waitForExit(pid: number, timeoutMs: number): Promise<boolean> {
  const first = await processFacts(pid);
  const deadline = Date.now() + timeoutMs;
  for (let facts = first; facts !== null && facts.startMark === first?.startMark; facts = await processFacts(pid)) {
    if (Date.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
