/** A job with work that waits, as the dispatcher sees it. */
export interface JobDemand {
  jobId: string;
  /** Share relative to other jobs, ≥ 1. */
  weight: number;
  /** Shards dispatched or leased now. */
  active: number;
  /** Shards that could be dispatched now. */
  waiting: number;
  /** Leases at once; null for no limit of its own. */
  concurrency: number | null;
  /** Milliseconds since this job was last given a slot, or since its admission. */
  waitedMs: number;
}

/** A job that waited this long counts as if it held one slot less, and so on: nobody starves behind a heavier job. */
export const AGEING_MS = 10_000;

/**
 * Weighted fair share with ageing: each free slot goes to the job that holds the least for its weight.
 *
 * @param slots shards to hand out now
 * @returns how many shards to dispatch per job; jobs that get none are absent
 */
export function allocateDispatch(jobs: readonly JobDemand[], slots: number): Map<string, number> {
  const given = new Map<string, number>();
  const open = jobs.map((job) => ({ job, held: job.active, room: room(job) })).filter((entry) => entry.room > 0);
  for (let slot = 0; slot < slots && open.length > 0; slot += 1) {
    const next = open.reduce((best, entry) => (share(entry) < share(best) ? entry : best));
    given.set(next.job.jobId, (given.get(next.job.jobId) ?? 0) + 1);
    next.held += 1;
    next.room -= 1;
    if (next.room === 0) open.splice(open.indexOf(next), 1);
  }
  return given;
}

function room({ waiting, active, concurrency }: JobDemand): number {
  return concurrency === null ? waiting : Math.max(0, Math.min(waiting, concurrency - active));
}

function share({ job, held }: { job: JobDemand; held: number }): number {
  return (held - job.waitedMs / AGEING_MS) / job.weight;
}
