import { execFileSync } from 'node:child_process';

/** Process ids of the running children of a process. */
export function childProcesses(parent: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [pid, ppid, state] = line.trim().split(/\s+/);
    return Number(ppid) === parent && state?.startsWith('Z') === false ? [Number(pid)] : [];
  });
}
