-- CreateEnum
CREATE TYPE "job_state" AS ENUM ('queued', 'running', 'cancelling', 'completed', 'capped', 'cancelled', 'failed');

-- CreateEnum
CREATE TYPE "job_kind" AS ENUM ('eval', 'compare', 'benchmark', 'replay', 'rescore');

-- CreateEnum
CREATE TYPE "shard_phase" AS ENUM ('generate', 'score');

-- CreateEnum
CREATE TYPE "shard_state" AS ENUM ('waiting', 'dispatched', 'leased', 'done');

-- CreateEnum
CREATE TYPE "outcome_kind" AS ENUM ('pass', 'fail', 'invalid', 'error', 'skipped');

-- CreateEnum
CREATE TYPE "target_kind" AS ENUM ('model', 'endpoint', 'agent', 'workflow');

-- CreateTable
CREATE TABLE "projects" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(6),
    "expires_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "id" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "project_id" UUID NOT NULL,
    "route" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_digest" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "response" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("project_id","route","key")
);

-- CreateTable
CREATE TABLE "control" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "halt_epoch" BIGINT NOT NULL DEFAULT 0,
    "halted" BOOLEAN NOT NULL DEFAULT false,
    "reason" TEXT,
    "scan_epoch" BIGINT NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "control_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "suites" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT,
    "current_version_id" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "suites_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "suite_versions" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "suite_id" UUID,
    "number" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "schema_version" INTEGER NOT NULL,
    "header" JSONB NOT NULL,
    "example_count" INTEGER NOT NULL,
    "example_ns" INTEGER[],
    "example_max_tokens" INTEGER NOT NULL DEFAULT 0,
    "max_prompt_bytes" INTEGER NOT NULL,
    "scorer_kinds" TEXT[],
    "tag_counts" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT NOT NULL,

    CONSTRAINT "suite_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "examples" (
    "id" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "messages" JSONB NOT NULL,
    "tools" JSONB,
    "target" TEXT,
    "aliases" TEXT[],
    "tags" TEXT[],
    "weight" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "metadata" JSONB,
    "scorer" JSONB,
    "generation" JSONB,
    "split" TEXT,
    "category" TEXT,
    "notes" TEXT,
    "pinned_history" JSONB,
    "cluster" TEXT,
    "source" JSONB,
    "reference" JSONB,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "examples_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "suite_version_examples" (
    "version_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "example_key" TEXT NOT NULL,
    "example_id" BIGINT NOT NULL,

    CONSTRAINT "suite_version_examples_pkey" PRIMARY KEY ("version_id","ordinal")
);

-- CreateTable
CREATE TABLE "targets" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "kind" "target_kind" NOT NULL,
    "definition" JSONB NOT NULL,
    "definition_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "targets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "jobs" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "kind" "job_kind" NOT NULL,
    "submission_kind" TEXT NOT NULL,
    "state" "job_state" NOT NULL,
    "stop_reason" TEXT,
    "error" TEXT,
    "origin" JSONB NOT NULL,
    "labels" JSONB NOT NULL DEFAULT '{}',
    "suite_version_id" UUID NOT NULL,
    "suite_name" TEXT NOT NULL,
    "suite_hash" TEXT NOT NULL,
    "aggregation" JSONB NOT NULL,
    "generation_override" JSONB,
    "effective_seed" DECIMAL(20,0) NOT NULL,
    "selection" JSONB,
    "k" INTEGER NOT NULL,
    "example_count" INTEGER NOT NULL,
    "sample_count" BIGINT NOT NULL,
    "concurrency" INTEGER,
    "gate" JSONB,
    "thresholds" JSONB NOT NULL DEFAULT '{}',
    "halt_epoch" BIGINT NOT NULL,
    "cancel_requested_at" TIMESTAMPTZ(6),
    "submitted_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(6),
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "job_selection" (
    "job_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,

    CONSTRAINT "job_selection_pkey" PRIMARY KEY ("job_id","ordinal")
);

-- CreateTable
CREATE TABLE "runs" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "target_id" UUID NOT NULL,
    "queue" TEXT NOT NULL,
    "effective_generation_hash" TEXT NOT NULL,
    "sample_cost_bound" DECIMAL(20,9) NOT NULL,
    "sample_token_bound" BIGINT NOT NULL,
    "metrics" JSONB,
    "started_at" TIMESTAMPTZ(6),
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "budgets" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "job_id" UUID,
    "cost_cap" DECIMAL(20,9),
    "cost_reserved" DECIMAL(20,9) NOT NULL DEFAULT 0,
    "cost_spent" DECIMAL(20,9) NOT NULL DEFAULT 0,
    "token_cap" BIGINT,
    "tokens_reserved" BIGINT NOT NULL DEFAULT 0,
    "tokens_spent" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "budgets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "shards" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "phase" "shard_phase" NOT NULL DEFAULT 'generate',
    "block" INTEGER NOT NULL,
    "first_ordinal" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    "state" "shard_state" NOT NULL DEFAULT 'waiting',
    "queue" TEXT NOT NULL,
    "dispatch" INTEGER NOT NULL DEFAULT 0,
    "dispatched_at" TIMESTAMPTZ(6),
    "not_before" TIMESTAMPTZ(6),
    "fence" BIGINT NOT NULL DEFAULT 0,
    "claim_token" UUID,
    "worker_id" UUID,
    "lease_until" TIMESTAMPTZ(6),
    "starts" INTEGER NOT NULL DEFAULT 0,
    "crashes" INTEGER NOT NULL DEFAULT 0,
    "cost_reserved" DECIMAL(20,9) NOT NULL DEFAULT 0,
    "tokens_reserved" BIGINT NOT NULL DEFAULT 0,
    "recorded" INTEGER NOT NULL DEFAULT 0,
    "passed" INTEGER NOT NULL DEFAULT 0,
    "score_sum" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "end_reason" TEXT,
    "done_at" TIMESTAMPTZ(6),

    CONSTRAINT "shards_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "execution_provenances" (
    "id" SERIAL NOT NULL,
    "digest" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "execution_provenances_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "scorers" (
    "id" SERIAL NOT NULL,
    "identity" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "config" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "scorers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "traces" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "completion_index" INTEGER NOT NULL,
    "reuse_key" BYTEA,
    "raw" BYTEA,
    "raw_blob" BYTEA,
    "answer_start" INTEGER NOT NULL,
    "answer_end" INTEGER NOT NULL,
    "reasoning_start" INTEGER,
    "reasoning_end" INTEGER,
    "reasoning_chars" INTEGER,
    "unclosed_thinking" BOOLEAN NOT NULL DEFAULT false,
    "thinking" JSONB,
    "steps" JSONB,
    "rounds" INTEGER NOT NULL DEFAULT 1,
    "stop_reason" TEXT NOT NULL,
    "prompt_tokens" INTEGER NOT NULL,
    "cached_tokens" INTEGER NOT NULL DEFAULT 0,
    "cache_write_tokens" INTEGER NOT NULL DEFAULT 0,
    "completion_tokens" INTEGER NOT NULL,
    "latency_ms" DOUBLE PRECISION NOT NULL,
    "cost" DECIMAL(20,9),
    "price_basis" TEXT NOT NULL,
    "provenance_id" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "traces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "scores" (
    "trace_id" UUID NOT NULL,
    "scorer_id" INTEGER NOT NULL,
    "project_id" UUID NOT NULL,
    "kind" "outcome_kind" NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    "raw_value" DOUBLE PRECISION,
    "skip_reason" TEXT,
    "detail" JSONB,
    "judge_identity" TEXT,
    "usage" JSONB,
    "calibration" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "scores_pkey" PRIMARY KEY ("trace_id","scorer_id")
);

-- CreateTable
CREATE TABLE "outcomes" (
    "run_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "completion_index" INTEGER NOT NULL,
    "project_id" UUID NOT NULL,
    "trace_id" UUID,
    "scorer_id" INTEGER NOT NULL,
    "kind" "outcome_kind" NOT NULL,
    "score" DOUBLE PRECISION NOT NULL,
    "error_code" TEXT,
    "error_message" TEXT,
    "fence" BIGINT NOT NULL,

    CONSTRAINT "outcomes_pkey" PRIMARY KEY ("run_id","ordinal","completion_index")
);

-- CreateTable
CREATE TABLE "reduced_outcomes" (
    "run_id" UUID NOT NULL,
    "scorer_id" INTEGER NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "project_id" UUID NOT NULL,
    "kind" "outcome_kind" NOT NULL,
    "score" DOUBLE PRECISION NOT NULL,
    "representative" INTEGER NOT NULL,
    "num_pass" INTEGER NOT NULL,
    "num_fail" INTEGER NOT NULL,
    "num_invalid" INTEGER NOT NULL,
    "num_error" INTEGER NOT NULL,
    "num_skipped" INTEGER NOT NULL,

    CONSTRAINT "reduced_outcomes_pkey" PRIMARY KEY ("run_id","scorer_id","ordinal")
);

-- CreateTable
CREATE TABLE "usage_ledger" (
    "id" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "shard_id" UUID NOT NULL,
    "fence" BIGINT NOT NULL,
    "part" INTEGER NOT NULL,
    "purpose" TEXT NOT NULL,
    "samples" INTEGER NOT NULL,
    "prompt_tokens" BIGINT NOT NULL,
    "cached_tokens" BIGINT NOT NULL,
    "cache_write_tokens" BIGINT NOT NULL,
    "completion_tokens" BIGINT NOT NULL,
    "cost" DECIMAL(20,9),
    "price_basis" TEXT NOT NULL,
    "duration_ms" DOUBLE PRECISION NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "usage_ledger_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "blobs" (
    "digest" BYTEA NOT NULL,
    "size" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "blobs_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "comparisons" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "baseline_run_id" UUID NOT NULL,
    "candidate_run_id" UUID NOT NULL,
    "scorer_id" INTEGER NOT NULL,
    "input_digest" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "comparisons_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verdicts" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "comparison_id" UUID NOT NULL,
    "policy_version" TEXT NOT NULL,
    "input_digest" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "verdicts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "topic" TEXT NOT NULL,
    "job_id" UUID NOT NULL,
    "payload" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "published_at" TIMESTAMPTZ(6),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workers" (
    "id" UUID NOT NULL,
    "pool" TEXT NOT NULL,
    "hostname" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "slots" INTEGER NOT NULL,
    "queues" TEXT[],
    "draining" BOOLEAN NOT NULL DEFAULT false,
    "scan_epoch" BIGINT NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "heartbeat_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "models" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "engine" TEXT NOT NULL,
    "identity" TEXT NOT NULL,
    "model_digest" TEXT NOT NULL,
    "tokenizer_digest" TEXT NOT NULL,
    "template_digest" TEXT NOT NULL,
    "context_length" INTEGER,
    "queue" TEXT NOT NULL,
    "description" JSONB NOT NULL DEFAULT '{}',
    "published_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "models_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "adapters" (
    "id" UUID NOT NULL,
    "model_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "config" JSONB NOT NULL DEFAULT '{}',
    "published_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "adapters_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "worker_models" (
    "worker_id" UUID NOT NULL,
    "model_id" UUID NOT NULL,

    CONSTRAINT "worker_models_pkey" PRIMARY KEY ("worker_id","model_id")
);

-- CreateTable
CREATE TABLE "active_adapters" (
    "id" BIGSERIAL NOT NULL,
    "project_id" UUID NOT NULL,
    "model_name" TEXT NOT NULL,
    "adapter" TEXT NOT NULL,
    "set_by" TEXT NOT NULL,
    "reason" TEXT,
    "set_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "active_adapters_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "projects_name_key" ON "projects"("name");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_token_hash_key" ON "api_keys"("token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_project_id_name_key" ON "api_keys"("project_id", "name");

-- CreateIndex
CREATE INDEX "audit_log_project_id_id_idx" ON "audit_log"("project_id", "id");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "suites_project_id_name_key" ON "suites"("project_id", "name");

-- CreateIndex
CREATE INDEX "suite_versions_project_id_hash_idx" ON "suite_versions"("project_id", "hash");

-- CreateIndex
CREATE UNIQUE INDEX "suite_versions_suite_id_hash_key" ON "suite_versions"("suite_id", "hash");

-- CreateIndex
CREATE UNIQUE INDEX "examples_project_id_hash_key" ON "examples"("project_id", "hash");

-- CreateIndex
CREATE INDEX "suite_version_examples_example_id_idx" ON "suite_version_examples"("example_id");

-- CreateIndex
CREATE UNIQUE INDEX "suite_version_examples_version_id_example_key_key" ON "suite_version_examples"("version_id", "example_key");

-- CreateIndex
CREATE UNIQUE INDEX "targets_project_id_definition_hash_key" ON "targets"("project_id", "definition_hash");

-- CreateIndex
CREATE INDEX "jobs_project_id_submitted_at_id_idx" ON "jobs"("project_id", "submitted_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "jobs_state_idx" ON "jobs"("state");

-- CreateIndex
CREATE INDEX "jobs_labels_idx" ON "jobs" USING GIN ("labels");

-- CreateIndex
CREATE INDEX "jobs_suite_version_id_idx" ON "jobs"("suite_version_id");

-- CreateIndex
CREATE UNIQUE INDEX "runs_job_id_ordinal_key" ON "runs"("job_id", "ordinal");

-- CreateIndex
CREATE UNIQUE INDEX "runs_job_id_name_key" ON "runs"("job_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "budgets_job_id_key" ON "budgets"("job_id");

-- CreateIndex
CREATE INDEX "shards_job_id_state_block_idx" ON "shards"("job_id", "state", "block");

-- CreateIndex
CREATE INDEX "shards_state_lease_until_idx" ON "shards"("state", "lease_until");

-- CreateIndex
CREATE UNIQUE INDEX "shards_run_id_phase_first_ordinal_key" ON "shards"("run_id", "phase", "first_ordinal");

-- CreateIndex
CREATE UNIQUE INDEX "execution_provenances_digest_key" ON "execution_provenances"("digest");

-- CreateIndex
CREATE UNIQUE INDEX "scorers_identity_key" ON "scorers"("identity");

-- CreateIndex
CREATE UNIQUE INDEX "traces_run_id_ordinal_completion_index_key" ON "traces"("run_id", "ordinal", "completion_index");

-- CreateIndex
CREATE INDEX "usage_ledger_job_id_idx" ON "usage_ledger"("job_id");

-- CreateIndex
CREATE UNIQUE INDEX "usage_ledger_shard_id_fence_part_purpose_key" ON "usage_ledger"("shard_id", "fence", "part", "purpose");

-- CreateIndex
CREATE INDEX "comparisons_job_id_idx" ON "comparisons"("job_id");

-- CreateIndex
CREATE UNIQUE INDEX "comparisons_baseline_run_id_candidate_run_id_scorer_id_key" ON "comparisons"("baseline_run_id", "candidate_run_id", "scorer_id");

-- CreateIndex
CREATE INDEX "verdicts_job_id_idx" ON "verdicts"("job_id");

-- CreateIndex
CREATE UNIQUE INDEX "verdicts_comparison_id_policy_version_input_digest_key" ON "verdicts"("comparison_id", "policy_version", "input_digest");

-- CreateIndex
CREATE INDEX "outbox_published_at_id_idx" ON "outbox"("published_at", "id");

-- CreateIndex
CREATE INDEX "workers_heartbeat_at_idx" ON "workers"("heartbeat_at");

-- CreateIndex
CREATE UNIQUE INDEX "models_name_identity_key" ON "models"("name", "identity");

-- CreateIndex
CREATE UNIQUE INDEX "adapters_model_id_name_digest_key" ON "adapters"("model_id", "name", "digest");

-- CreateIndex
CREATE INDEX "worker_models_model_id_idx" ON "worker_models"("model_id");

-- CreateIndex
CREATE INDEX "active_adapters_project_id_model_name_id_idx" ON "active_adapters"("project_id", "model_name", "id" DESC);

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "suites" ADD CONSTRAINT "suites_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "suite_versions" ADD CONSTRAINT "suite_versions_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "suite_versions" ADD CONSTRAINT "suite_versions_suite_id_fkey" FOREIGN KEY ("suite_id") REFERENCES "suites"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "suite_version_examples" ADD CONSTRAINT "suite_version_examples_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "suite_versions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "suite_version_examples" ADD CONSTRAINT "suite_version_examples_example_id_fkey" FOREIGN KEY ("example_id") REFERENCES "examples"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_suite_version_id_fkey" FOREIGN KEY ("suite_version_id") REFERENCES "suite_versions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_selection" ADD CONSTRAINT "job_selection_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_target_id_fkey" FOREIGN KEY ("target_id") REFERENCES "targets"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "shards" ADD CONSTRAINT "shards_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "shards" ADD CONSTRAINT "shards_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comparisons" ADD CONSTRAINT "comparisons_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "verdicts" ADD CONSTRAINT "verdicts_comparison_id_fkey" FOREIGN KEY ("comparison_id") REFERENCES "comparisons"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "adapters" ADD CONSTRAINT "adapters_model_id_fkey" FOREIGN KEY ("model_id") REFERENCES "models"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "worker_models" ADD CONSTRAINT "worker_models_worker_id_fkey" FOREIGN KEY ("worker_id") REFERENCES "workers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "worker_models" ADD CONSTRAINT "worker_models_model_id_fkey" FOREIGN KEY ("model_id") REFERENCES "models"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma has no words for: bounds that must hold whoever writes, and the rows that everything needs.
ALTER TABLE "control" ADD CONSTRAINT "control_one_row" CHECK ("id" = 1);
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_counts" CHECK ("k" BETWEEN 1 AND 128 AND "example_count" > 0 AND "sample_count" > 0);
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_seed" CHECK ("effective_seed" BETWEEN 0 AND 18446744073709551615);
ALTER TABLE "shards" ADD CONSTRAINT "shards_range" CHECK ("first_ordinal" >= 0 AND "count" > 0);
ALTER TABLE "shards" ADD CONSTRAINT "shards_lease" CHECK (("state" = 'leased') = ("claim_token" IS NOT NULL));
ALTER TABLE "shards" ADD CONSTRAINT "shards_reserved" CHECK ("cost_reserved" >= 0 AND "tokens_reserved" >= 0);
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_reserved" CHECK ("cost_reserved" >= 0 AND "tokens_reserved" >= 0);
ALTER TABLE "scores" ADD CONSTRAINT "scores_value" CHECK ("value" BETWEEN 0 AND 1);
ALTER TABLE "outcomes" ADD CONSTRAINT "outcomes_score" CHECK ("score" BETWEEN 0 AND 1);
ALTER TABLE "outcomes" ADD CONSTRAINT "outcomes_traced" CHECK ("trace_id" IS NOT NULL OR "kind" IN ('error', 'skipped'));
ALTER TABLE "reduced_outcomes" ADD CONSTRAINT "reduced_outcomes_score" CHECK ("score" BETWEEN 0 AND 1);
ALTER TABLE "traces" ADD CONSTRAINT "traces_one_raw" CHECK (("raw" IS NULL) <> ("raw_blob" IS NULL));

INSERT INTO "control" ("id") VALUES (1);
INSERT INTO "projects" ("id", "name") VALUES ('00000000-0000-7000-8000-000000000001', 'default');
