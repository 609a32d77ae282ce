import { readdir, readFile } from 'node:fs/promises';

/** Ticks of the times in /proc a second (USER_HZ), the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/**
 * User and system time of processes, all their descendants, and those of them that ended and were waited for, in seconds, from
 * proc_pid_stat(5). A descendant that ends in between stays counted with its parent.
 *
 * @throws Error where there is no /proc, or a process of `pids` is gone: a time that misses something is no measurement
 */
export async function cpuSecondsOfTrees(pids: readonly number[]): Promise<number> {
  const seconds = await Promise.all(pids.map(async (pid) => secondsOf(pid, await readFile(`/proc/${pid}/stat`, 'utf8'))));
  return seconds.reduce((sum, each) => sum + each, 0);
}

async function secondsOf(pid: number, stat: string): Promise<number> {
  let seconds = ownSeconds(stat);
  for (const child of await childrenOf(pid)) {
    const childStat = await readFile(`/proc/${child}/stat`, 'utf8').catch(() => null);
    if (childStat !== null) seconds += await secondsOf(child, childStat);
  }
  return seconds;
}

/** utime, stime, cutime and cstime: the 12th to 15th field after the name, which may hold anything, in parentheses. */
function ownSeconds(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) / TICKS_PER_SECOND;
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')));
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}
