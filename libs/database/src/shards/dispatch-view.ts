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
 * What the dispatcher decides on: for every unfinished job and each of its queues the shards that wait, up to `limit`, and the
 * job's active ones. Reads only the few active shards and the head of each backlog, however long the backlog is.
 *
 * When a job was last given a slot shows on its active shards and on the last one in dispatch order that has ended; a shard
 * that was tried again out of that order and has ended is not looked for.
 */
export function dispatchView(db: Queryable, limit: number): Promise<QueueDemand[]> {
  return db.query<QueueDemand>(
    `SELECT q.queue, j.id AS "jobId", j.concurrency, active.count AS active, w.waiting,
            extract(epoch FROM now() - greatest(j.submitted_at, active.latest, ended.latest))::float8 * 1000 AS "waitedMs"
       FROM jobs j
       CROSS JOIN LATERAL (SELECT r.queue FROM runs r WHERE r.job_id = j.id
                           UNION SELECT r.score_queue FROM runs r WHERE r.job_id = j.id AND r.score_queue IS NOT NULL) q
       CROSS JOIN LATERAL (
         SELECT count(*)::int AS waiting
           FROM (SELECT 1 FROM shards s
                  WHERE s.job_id = j.id AND s.state = 'waiting' AND s.queue = q.queue
                    AND (s.not_before IS NULL OR s.not_before <= now())
                  LIMIT $1) head) w
       CROSS JOIN LATERAL (
         SELECT count(*)::int AS count, max(s.dispatched_at) AS latest FROM shards s
          WHERE s.job_id = j.id AND s.state IN ('dispatched', 'leased')) active
       LEFT JOIN LATERAL (
         SELECT s.dispatched_at AS latest FROM shards s WHERE s.job_id = j.id AND s.state = 'done'
          ORDER BY s.block DESC LIMIT 1) ended ON true
      WHERE j.state IN ('queued', 'running') AND j.stop_reason IS NULL AND w.waiting > 0
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
