import { type Queryable } from '@kiln/database';

/** One change of a shard's state, as the database saw it. */
export interface ShardChange {
  at: Date;
  shardId: string;
  from: string;
  to: string;
  fence: string;
  /** Shards of the job that were leased at this moment, this one included. */
  leased: number;
  /** Of the fleet, at this moment. */
  haltEpoch: string;
}

/**
 * An append-only history of every change of a shard's state, written by a trigger that only test databases have: what was true
 * at every instant, not only at the end. Claims of one job are one after the other (they hold its budget), so `leased` is exact.
 */
export async function installShardHistory(db: Queryable): Promise<void> {
  await db.query(`
    CREATE TABLE shard_history (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(), job_id uuid NOT NULL,
      shard_id uuid NOT NULL, from_state text NOT NULL, to_state text NOT NULL, fence bigint NOT NULL, leased int NOT NULL,
      halt_epoch bigint NOT NULL)`);
  await db.query(`
    CREATE FUNCTION note_shard_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO shard_history (job_id, shard_id, from_state, to_state, fence, leased, halt_epoch)
      SELECT NEW.job_id, NEW.id, OLD.state, NEW.state, NEW.fence,
             (SELECT count(*) FROM shards WHERE job_id = NEW.job_id AND state = 'leased'), (SELECT halt_epoch FROM control WHERE id = 1);
      RETURN NULL;
    END $$`);
  await db.query(`
    CREATE TRIGGER shard_history AFTER UPDATE OF state ON shards FOR EACH ROW
      WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION note_shard_change()`);
}

/** The history of a job's shards, oldest first. */
export function readShardHistory(db: Queryable, jobId: string): Promise<ShardChange[]> {
  return db.query<ShardChange>(
    `SELECT at, shard_id AS "shardId", from_state AS "from", to_state AS "to", fence, leased, halt_epoch AS "haltEpoch"
       FROM shard_history WHERE job_id = $1 ORDER BY id`,
    [jobId],
  );
}
