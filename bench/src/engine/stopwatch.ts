import { cpuSecondsOfTrees } from './cpu-time.js';

export interface Times {
  /** User and system time of everything that took part, s. */
  cpuS: number;
  wallS: number;
}

/** Times `work` of this process and of other process trees, such as an engine child's. */
export async function timed<T>(work: () => Promise<T>, pids: () => readonly number[] = () => []): Promise<{ result: T; times: Times }> {
  const [othersBefore, own, from] = [await cpuSecondsOfTrees(pids()), process.cpuUsage(), performance.now()];
  const result = await work();
  const wallS = (performance.now() - from) / 1000;
  const { user, system } = process.cpuUsage(own);
  const others = (await cpuSecondsOfTrees(pids())) - othersBefore;
  return { result, times: { cpuS: (user + system) / 1e6 + others, wallS } };
}
