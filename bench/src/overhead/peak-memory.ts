import { readFile } from 'node:fs/promises';

/** Peak resident memory of a process and of those that it started, in MiB. */
export interface PeakMemory {
  own: number;
  /** Sum over the children's own peaks: engine processes of a worker. */
  children: number;
}

/**
 * Reads VmHWM (proc_pid_status(5)), the most memory that was resident at once since the process began.
 *
 * @returns null where there is no /proc
 */
export async function peakMemory(pid: number): Promise<PeakMemory | null> {
  const own = await peakOf(pid);
  if (own === null) return null;
  const children = await Promise.all((await childrenOf(pid)).map(peakOf));
  return { own, children: children.reduce((sum: number, peak) => sum + (peak ?? 0), 0) };
}

async function peakOf(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? null : Number(kib) / 1024;
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}
