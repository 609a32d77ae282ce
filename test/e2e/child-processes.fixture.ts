import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Process ids of the running children of a process. Reads /proc where it exists, for machines without `ps`. */
export function childProcesses(parent: number): number[] {
  const processes = process.platform === 'linux' ? readProc() : readPs();
  return processes.filter(({ ppid, state }) => ppid === parent && !state.startsWith('Z')).map(({ pid }) => pid);
}

interface ProcessEntry {
  pid: number;
  ppid: number;
  state: string;
}

function readProc(): ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        // The second field is the program's name in brackets and may hold spaces and brackets itself.
        const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return [{ pid: Number(name), ppid: Number(ppid), state: state! }];
      } catch {
        // It ended while this looked.
        return [];
      }
    });
}

function readPs(): ProcessEntry[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid, ppid, state] = line.trim().split(/\s+/);
    return { pid: Number(pid), ppid: Number(ppid), state: state! };
  });
}
