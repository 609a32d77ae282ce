/** What the outbox tells: each topic has exactly one handler in the scheduler. */
export const OUTBOX_TOPICS = ['job.admitted', 'shard.ended', 'job.stopped', 'job.finished'] as const;
export type OutboxTopic = (typeof OUTBOX_TOPICS)[number];
