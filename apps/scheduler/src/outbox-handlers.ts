import { type OutboxTopic } from '@kiln/database';

/** What the outbox can wake. */
export interface Wakeable {
  dispatch(): void;
  finalize(): void;
  reconcile(): void;
}

/**
 * One handler per topic; the type makes a missing one a compile error. Handlers only wake loops that read the record
 * themselves: an entry that is handled twice or not at all costs a tick, never a wrong decision.
 */
export const OUTBOX_HANDLERS: Record<OutboxTopic, (loops: Wakeable) => void> = {
  'job.admitted': (loops) => loops.dispatch(),
  'shard.ended': (loops) => {
    loops.dispatch();
    loops.finalize();
  },
  'job.stopped': (loops) => {
    loops.reconcile();
    loops.finalize();
  },
  'job.finished': (loops) => loops.dispatch(),
};
