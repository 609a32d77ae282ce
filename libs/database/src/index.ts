export { migrate, isMigrated } from './migrations/migrate.js';
export { openDatabase, type Database, type DatabaseOptions, type Queryable } from './database.js';
export { tryLead, type Leadership } from './leadership.js';
export { isTransient, retryTransient } from './transient.js';

export { type Admission, type AdmittedRun } from './jobs/admission.js';
export { admitJob, withAdmission } from './jobs/admit-job.js';
export { failJob, finishJob, type FinishedComparison, type FinishedJob } from './jobs/finish-job.js';
export { finishableJobs, stoppedJobs } from './jobs/finishable-jobs.js';
export { liveBudgets, type LiveBudgets } from './jobs/live-budgets.js';
export { readFinishingJob, type FinishingJob, type FinishingRun } from './jobs/read-finishing-job.js';
export { findRepeatableJob, type RepeatableJob, type RepeatableRun } from './jobs/find-repeatable-job.js';
export { ordinalsByOutcome, selectedOrdinals } from './jobs/select-ordinals.js';
export { findRescoreSource, type RescoreSource, type RescoreSourceRun } from './jobs/find-rescore-source.js';
export { cancelJob, endStoppedShards, stopHaltedJobs, type CancelResult } from './jobs/stop-job.js';

export { claimShard, type ClaimRequest, type ClaimResult } from './shards/claim-shard.js';
export { dispatchShards, unclaimedShards, undispatchShards, type DispatchedShard } from './shards/dispatch-shards.js';
export { dispatchView, queueSlots, type QueueDemand } from './shards/dispatch-view.js';
export { endAttempt, type AttemptEnd } from './shards/end-attempt.js';
export { heartbeatShards, type Heartbeat, type HeldLease } from './shards/heartbeat-shards.js';
export { StaleLeaseError, type Lease } from './shards/lease.js';
export { loadTimeLimits, type TimeLimit } from './shards/load-time-limits.js';
export { loadShard, loadSuiteHeader, type ShardExample } from './shards/load-shard.js';
export { pruneReservations, reserveTraces, type ReservedTraces, type ReusableTrace } from './traces/reserve-traces.js';
export { shardCounts } from './shards/shard-counts.js';
export { reapExpired } from './shards/reap-expired.js';
export { findScores, type StoredScore } from './shards/find-scores.js';
export { loadUnscored, type UnscoredSample } from './shards/load-unscored.js';
export { recordOutcomes, recordScores, recordWaste, type OutcomeBatch } from './shards/record-outcomes.js';
export { type AttemptUsage, type BorrowedTrace, type RecordedSample, type ScoredTrace, type TraceRow } from './shards/recorded-sample.js';
export { registerProvenance, registerScorer } from './shards/register-identities.js';

export { type StoredTrace } from './outcomes/stored-trace.js';
export { insertReduced, type ReducedRow } from './outcomes/insert-reduced.js';
export { readPageExamples, readPageOutcomes, type PageExample, type PageOutcome } from './outcomes/read-page.js';
export { readProvenances, readScorers, type RegisteredIdentity } from './outcomes/read-identities.js';
export { refreshStatistics } from './outcomes/refresh-statistics.js';
export { readReplayPage, type ReplayPage, type ReplayRow, type ReplayTrace } from './outcomes/read-replay-page.js';
export { readRunTotals, type RunTotals } from './outcomes/read-run-totals.js';

export { outboxBacklog } from './outbox/outbox-backlog.js';
export { pruneOutbox, takeOutbox, type OutboxEntry } from './outbox/take-outbox.js';
export { type OutboxTopic } from './outbox/topic.js';

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

export { type Actor } from './audit/actor.js';
export { DEFAULT_PROJECT_ID } from './audit/default-project.js';
export {
  findIdempotentResponse,
  pruneIdempotentResponses,
  storeIdempotentResponse,
  type IdempotentRequest,
  type IdempotentResponse,
} from './idempotency/idempotency.js';
export { type ApiKey } from './keys/api-key.js';
export { hashApiKeyToken } from './keys/api-key-token.js';
export { createApiKey, type NewApiKey } from './keys/create-api-key.js';
export { findApiKey } from './keys/find-api-key.js';
export { listApiKeys } from './keys/list-api-keys.js';
export { revokeApiKey } from './keys/revoke-api-key.js';
export { findServingPool } from './models/find-serving-pool.js';
export { findModelFiles, type PublishedModelFiles } from './models/find-executions.js';
export { livePools, servedQueues } from './models/served-queues.js';
export { adapterNames, findAdapter, listAdapters, type AdapterPage, type PublishedAdapter } from './models/published-adapter.js';
export { requestScan } from './models/request-scan.js';
export { findModel, listModels, servedModelNames, type ServedModel } from './models/served-model.js';
export { purgeJob } from './purge/purge-job.js';
export { lockAdmissions, type UnfinishedJobs } from './reading/admission-room.js';
export { findJob, type JobDetail } from './reading/find-job.js';
export { type BudgetRow, type JobRow, type ProgressRow, type RunRow, type UsageRow } from './reading/job-row.js';
export { findComparisons, findRunResults, type RunResults } from './reading/job-results.js';
export { findJobState, readJobSnapshots, type JobSnapshot } from './reading/job-snapshots.js';
export { listJobs, type JobFilter } from './reading/list-jobs.js';
export { listenForWakeups, type WakeupListener } from './reading/listen-for-wakeups.js';
export { readOutcomePage, type OutcomePage, type OutcomeRow, type TraceColumns } from './reading/outcome-page.js';
export { readReducedOutcomePage, type ReducedOutcomePage, type ReducedOutcomeRow } from './reading/reduced-outcome-page.js';
export { deleteSuite } from './suites/delete-suite.js';
export { findInlineSuite, findSuite, findSuiteVersion, listSuites, suiteNames } from './suites/find-suite.js';
export { exampleRecord, type ExampleRecord } from './suites/example-record.js';
export { readExamplesAt, readSuiteExamples } from './suites/read-suite-examples.js';
export { registerSuite, type NewSuite, type RegisteredSuite } from './suites/register-suite.js';
export { storeScorerProof } from './suites/store-scorer-proof.js';
export { storeSuiteVersion, type NewSuiteVersion } from './suites/store-suite-version.js';
export { type SuiteFacts, type SuiteVersion } from './suites/suite-version.js';
