-- Score shards, rescores, judges, trace reuse, scorer proofs, replays. Only adds: the version before it goes on serving meanwhile.

-- AlterTable
ALTER TABLE "suite_versions" ADD COLUMN     "executed_scorers" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "scorer_proof" JSONB;

-- AlterTable
ALTER TABLE "jobs" ADD COLUMN     "reuse_traces" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "replay_verdict" JSONB,
ADD COLUMN     "source_job_id" UUID,
ADD COLUMN     "thinking_defaults" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "expectation" JSONB,
ADD COLUMN     "judging" JSONB,
ADD COLUMN     "replay_record" JSONB,
ADD COLUMN     "score_queue" TEXT,
ADD COLUMN     "scorer" JSONB,
ADD COLUMN     "source_run_id" UUID;

-- AlterTable
ALTER TABLE "shards" ADD COLUMN     "sample_cost_bound" DECIMAL(20,9),
ADD COLUMN     "sample_token_bound" BIGINT;

-- AlterTable
ALTER TABLE "models" ADD COLUMN     "weight_shards" JSONB;

-- AlterTable
ALTER TABLE "worker_models" ADD COLUMN     "execution_provenance" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE UNLOGGED TABLE "trace_reservations" (
    "reuse_key" BYTEA NOT NULL,
    "shard_id" UUID NOT NULL,
    "fence" BIGINT NOT NULL,

    CONSTRAINT "trace_reservations_pkey" PRIMARY KEY ("reuse_key")
);

-- CreateTable
CREATE TABLE "trace_loans" (
    "run_id" UUID NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "completion_index" INTEGER NOT NULL,
    "trace_id" UUID NOT NULL,
    "source_run_id" UUID NOT NULL,

    CONSTRAINT "trace_loans_pkey" PRIMARY KEY ("run_id","ordinal","completion_index")
);

-- CreateIndex
CREATE INDEX "jobs_source_job_id_idx" ON "jobs"("source_job_id");

-- CreateIndex
CREATE INDEX "trace_reservations_shard_id_idx" ON "trace_reservations"("shard_id");

-- CreateIndex
CREATE INDEX "trace_loans_source_run_id_idx" ON "trace_loans"("source_run_id");

-- CreateIndex
CREATE UNIQUE INDEX "traces_reuse_key_key" ON "traces"("reuse_key");
