import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, KilnError } from '@kiln/contracts';
import type { ApiClient } from './api-client.js';
import { ServerUnreachableError } from './server-unreachable-error.js';

export interface FollowOptions {
  /** Told of every state that was read. */
  readonly onProgress: (job: Job) => void;
  /** Seconds that one request waits for the job's end; between two states at most so much passes. */
  readonly waitSeconds?: number;
  /** How long a server may be away (a restart) before following is given up, in milliseconds. */
  readonly patienceMs?: number;
  /** Stops following. The job goes on. */
  readonly signal?: AbortSignal;
}

/**
 * Waits for the end of a job.
 * @returns the finished job
 * @throws ServerUnreachableError when the server is away for longer than `patienceMs` (default 60 s)
 * @throws the reason of `signal` when that is aborted
 */
export async function followJob(client: ApiClient, id: string, options: FollowOptions): Promise<Job> {
  const waitSeconds = options.waitSeconds ?? 1;
  const patienceMs = options.patienceMs ?? 60_000;
  let awaySince: number | null = null;
  for (;;) {
    options.signal?.throwIfAborted();
    try {
      const job = await client.call('getJob', { params: { id }, query: { wait: waitSeconds }, timeoutMs: waitSeconds * 1000 + 30_000 });
      awaySince = null;
      options.onProgress(job);
      if (job.finished_at !== null) return job;
    } catch (error) {
      if (!isPassing(error)) throw error;
      awaySince ??= Date.now();
      if (Date.now() - awaySince > patienceMs) throw error;
      await sleep(1000);
    }
  }
}

/** Whether asking again may help: nobody answers just now, or the server is waiting for its database. */
function isPassing(error: unknown): boolean {
  return error instanceof ServerUnreachableError || (error instanceof KilnError && error.status === 503);
}
