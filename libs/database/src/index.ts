export { migrate, isMigrated } from './migrations/migrate.js';
export { schemaDrift } from './migrations/schema-drift.js';
export { openDatabase, type Database, type DatabaseOptions, type Queryable } from './database.js';
export { tryLead, type Leadership } from './leadership.js';
export { isTransient, retryTransient } from './transient.js';

export { type Admission, type AdmittedRun } from './jobs/admission.js';
export { admitJob, withAdmission } from './jobs/admit-job.js';
export { failJob, finishJob, type FinishedComparison, type FinishedJob } from './jobs/finish-job.js';
export { finishableJobs, stoppedJobs } from './jobs/finishable-jobs.js';
export { readFinishingJob, type FinishingJob, type FinishingRun } from './jobs/read-finishing-job.js';
export { cancelJob, endStoppedShards, stopHaltedJobs, type CancelResult } from './jobs/stop-job.js';

export { claimShard, type ClaimRequest, type ClaimResult } from './shards/claim-shard.js';
export {
  dispatchShards,
  unclaimedShards,
  undispatchShards,
  type DispatchedShard,
} from './shards/dispatch-shards.js';
export { dispatchView, queueSlots, type QueueDemand } from './shards/dispatch-view.js';
export { endAttempt, type AttemptEnd } from './shards/end-attempt.js';
export { heartbeatShards, type Heartbeat, type HeldLease } from './shards/heartbeat-shards.js';
export { StaleLeaseError, type Lease } from './shards/lease.js';
export { loadShard, loadSuiteHeader, type ShardExample } from './shards/load-shard.js';
export { shardCounts } from './shards/shard-counts.js';
export { reapExpired } from './shards/reap-expired.js';
export { recordOutcomes, recordWaste, type OutcomeBatch } from './shards/record-outcomes.js';
export { type AttemptUsage, type RecordedSample, type TraceRow } from './shards/recorded-sample.js';
export { registerProvenance, registerScorer } from './shards/register-identities.js';

export { insertReduced, PRIMARY_SCORER, type ReducedRow } from './outcomes/insert-reduced.js';
export { readPageExamples, readPageOutcomes, type PageExample, type PageOutcome } from './outcomes/read-page.js';
export { readRunTotals, type RunTotals } from './outcomes/read-run-totals.js';

export { WAKE_CHANNEL } from './outbox/post.js';
export { pruneOutbox, takeOutbox, type OutboxEntry } from './outbox/take-outbox.js';
export { OUTBOX_TOPICS, type OutboxTopic } from './outbox/topic.js';

export {
  drainWorker,
  heartbeatWorker,
  publishModels,
  readScanEpoch,
  registerWorker,
  removeDeadWorkers,
  removeWorker,
  type PublishedModel,
  type WorkerRecord,
} from './workers/register-worker.js';
