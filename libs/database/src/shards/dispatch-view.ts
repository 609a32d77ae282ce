import { type Queryable } from '../database.js';

/** A job's demand on one queue. */
export interface QueueDemand {
  queue: string;
  jobId: string;
  concurrency: number | null;
  active: number;
  /** Waiting shards that may start now, counted up to the limit of the view. */
  waiting: number;
  waitedMs: number;
}

/**
 * What the dispatcher decides on: for every unfinished job its active shards and, up to `limit` per queue, its waiting ones.
 * Reads only the few active shards and the head of each job's backlog, however long the backlog is.
 */
export function dispatchView(db: Queryable, limit: number): Promise<QueueDemand[]> {
  return db.query<QueueDemand>(
    `SELECT w.queue, j.id AS "jobId", j.concurrency, coalesce(a.active, 0) AS active, w.waiting,
            extract(epoch FROM now() - greatest(j.submitted_at, coalesce(a.latest, j.submitted_at)))::float8 * 1000
              AS "waitedMs"
       FROM jobs j
       CROSS JOIN LATERAL (
         SELECT head.queue, count(*)::int AS waiting
           FROM (SELECT s.queue FROM shards s
                  WHERE s.job_id = j.id AND s.state = 'waiting' AND (s.not_before IS NULL OR s.not_before <= now())
                  ORDER BY s.block LIMIT $1) head
          GROUP BY head.queue) w
       LEFT JOIN LATERAL (
         SELECT count(*)::int AS active, max(s.dispatched_at) AS latest FROM shards s
          WHERE s.job_id = j.id AND s.state IN ('dispatched', 'leased')) a ON true
      WHERE j.state IN ('queued', 'running') AND j.stop_reason IS NULL
      ORDER BY j.submitted_at`,
    [limit],
  );
}

/** Slots of the workers that are alive, and shards dispatched already, per queue. */
export function queueSlots(db: Queryable, aliveMs: number): Promise<{ queue: string; slots: number; dispatched: number }[]> {
  return db.query(
    `SELECT q.queue, sum(w.slots)::int AS slots,
            (SELECT count(*)::int FROM shards s WHERE s.state = 'dispatched' AND s.queue = q.queue) AS dispatched
       FROM workers w CROSS JOIN LATERAL unnest(w.queues) AS q (queue)
      WHERE NOT w.draining AND w.heartbeat_at > now() - make_interval(secs => $1::float8 / 1000)
      GROUP BY q.queue`,
    [aliveMs],
  );
}
