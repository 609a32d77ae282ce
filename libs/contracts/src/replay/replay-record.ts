import { z } from 'zod';
import { JobSelection } from '../jobs/job-selection.js';
import { EffectiveThinkingBudget } from '../results/thinking-budget-record.js';
import { Digest } from '../scalars/digest.js';

import { ScorerKind } from '../scorer/scorer-kind.js';
import { Aggregation } from '../suites/aggregation.js';
import { SuiteHeader } from '../suites/suite.js';
import { Generation } from '../suites/generation.js';
import { FrozenTarget } from '../targets/frozen-target.js';
import { BaseWeightManifest } from './base-weight-manifest.js';
import { ExecutionProvenanceRecord } from './execution-provenance-record.js';

const Count = z.int().min(0);

/** The lines of one type: how many, and the SHA-256 of their bytes, line feeds included. */
const Lines = z.object({ count: Count, sha256: Digest });

/** What scored an example. */
export const ReplayScorerIdentity = z
  .object({
    example_id: z.string(),
    kind: ScorerKind,
    config_sha256: Digest.meta({ description: 'Configuration, version of the scorer and its judges.' }),
    requires_judge: z.boolean(),
    judge_adapter: z.string().nullable(),
  })
  .meta({ id: 'ReplayScorerIdentity' });
export type ReplayScorerIdentity = z.infer<typeof ReplayScorerIdentity>;

/** A line of a record: the settings under which one example ran. */
export const ReplaySettingsLine = z
  .object({
    type: z.literal('settings'),
    example_id: z.string(),
    resolved_thinking_budget: EffectiveThinkingBudget,
    scorer_identity: ReplayScorerIdentity,
  })
  .meta({ id: 'ReplaySettingsLine' });
export type ReplaySettingsLine = z.infer<typeof ReplaySettingsLine>;

/** A line of a record: one completion by its digests. The text is at the pointer, in the job’s outcomes. */
export const ReplayCompletionLine = z
  .object({
    type: z.literal('raw_completion'),
    outcome_index: Count.meta({ description: 'In suite order, then by completion index.' }),
    example_id: z.string(),
    completion_index: Count,
    generation_seed: z.string().meta({ description: 'u64 as a decimal string.' }),
    raw_completion_pointer: z.string(),
    raw_sha256: Digest,
    raw_bytes: Count,
    normalized_sha256: Digest.meta({ description: 'Of the answer as it is scored: UTF-8, without the reasoning.' }),
    normalized_bytes: Count,
    thinking_time_up_at: Count.nullable().meta({
      description: 'Tokens at which a limit in time ended the reasoning: a replay ends it there. null = none did.',
    }),
  })
  .meta({ id: 'ReplayCompletionLine' });
export type ReplayCompletionLine = z.infer<typeof ReplayCompletionLine>;

/** The first line of a record: everything that a run depended on, and the digests of the lines that follow. */
export const ReplayRecordHeader = z
  .object({
    type: z.literal('kiln.eval-replay.v1'),
    schema_version: z.literal(1),
    suite: z.object({ name: z.string(), header: SuiteHeader, num_examples: z.int().min(1) }),
    selection: JobSelection.nullable().meta({ description: 'null = the whole suite.' }),
    aggregation: Aggregation,
    completions_per_example: z.int().min(1),
    generation_override: Generation.nullable(),
    effective_seed: z.string().meta({ description: 'u64 as a decimal string.' }),
    seed_derivation: z.literal('kiln.eval-seed.v1'),
    target: FrozenTarget,
    model_target: z
      .object({ adapter: z.string().nullable(), adapter_content_sha256: z.string().nullable() })
      .meta({ description: 'Both or neither; neither = the base model.' }),
    judge_targets: z.array(z.object({ target_sha256: Digest, target: FrozenTarget })).meta({ description: 'Sorted by hash; each once.' }),
    settings: Lines,
    raw_completions: Lines,
    suite_sha256: Digest,
    effective_generation_sha256: Digest,
    raw_completion_set_sha256: Digest,
    execution_provenance: ExecutionProvenanceRecord.nullable(),
    execution_provenance_sha256: Digest.nullable().meta({ description: 'Of the pinned part. null: there is not exactly one.' }),
    base_weight_manifest: BaseWeightManifest.nullable(),
    base_weight_manifest_sha256: Digest.nullable().meta({ description: 'null for an endpoint.' }),
    strict: z.boolean().meta({ description: 'The run can be replayed.' }),
    not_strict_because: z.array(z.string()),
    record_sha256: Digest,
  })
  .meta({ id: 'ReplayRecordHeader' });
export type ReplayRecordHeader = z.infer<typeof ReplayRecordHeader>;
