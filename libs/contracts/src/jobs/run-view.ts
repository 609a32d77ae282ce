import { z } from 'zod';
import { ReplayRecordHeader } from '../replay/replay-record.js';
import { Coverage, Metrics } from '../results/metrics.js';
import { Instant } from '../scalars/instant.js';
import { Aggregation } from '../suites/aggregation.js';
import { Scorer } from '../scorer/scorer.js';
import { FrozenTarget } from '../targets/frozen-target.js';

const Count = z.int().min(0);

/** What a run or a job used. Money is US dollars as a decimal string; null = some of it is unpriced. */
export const Spend = z
  .object({
    usd: z.string().nullable(),
    known_usd: z.string().meta({ description: 'The priced part.' }),
    tokens: Count,
    lost_usd: z.string().meta({
      description: 'Charged against the caps, at their bound, for calls to endpoints that were broken off: what they cost is not known.',
    }),
    lost_tokens: Count,
    reserved_usd: z.string().meta({ description: 'Held for samples in flight.' }),
    reserved_tokens: Count,
    excess_usd: z.string().meta({ description: 'What attempts used beyond their reserved bound.' }),
  })
  .meta({ id: 'Spend' });
export type Spend = z.infer<typeof Spend>;

/** One target of a job. */
export const RunView = z
  .object({
    index: Count.meta({ description: '0 = the baseline.' }),
    name: z.string(),
    suite_name: z.string(),
    target: FrozenTarget,
    target_hash: z.string(),
    adapter: z.string().nullable(),
    scorer: Scorer.nullable().meta({ description: 'Of a rescore; null = the suite’s and its examples’ scorers.' }),
    judges: z.array(FrozenTarget).meta({ description: 'Targets that judge its answers.' }),
    aggregation: Aggregation,
    metrics: Metrics.nullable().meta({ description: 'null until the job is finished.' }),
    samples_completed: Count,
    samples_total: Count,
    coverage: Coverage,
    spend: Spend,
    replay: ReplayRecordHeader.pick({ strict: true, not_strict_because: true, record_sha256: true })
      .nullable()
      .meta({ description: 'Whether the run can be replayed. null until the job is completed, and for a rescore.' }),
    suite_hash: z.string(),
    effective_generation_hash: z.string(),
    started_at: Instant.nullable(),
    finished_at: Instant.nullable(),
  })
  .meta({ id: 'RunView' });
export type RunView = z.infer<typeof RunView>;
