import { z } from 'zod';
import { Fraction } from '../scalars/fraction.js';
import { GateOutcome } from './gate-outcome.js';
import { Interval } from './interval.js';

const Count = z.int().min(0);

/** Pass rate over the graded samples (no errors, no skips) of a split. Its interval describes; the test counts examples. */
export const SplitRate = z
  .object({ passes: Count, graded: Count, rate: Fraction.nullable(), interval: Interval.nullable() })
  .meta({ id: 'SplitRate' });
export type SplitRate = z.infer<typeof SplitRate>;

/** A split before and after: examples paired by their pass rates, completions averaged inside the example. */
export const SplitComparison = z
  .object({
    cases: Count.meta({ description: 'Paired examples.' }),
    changed: Count.meta({ description: 'Those whose pass rate moved: only they carry evidence.' }),
    baseline: SplitRate,
    candidate: SplitRate,
    mean_delta: z.number().nullable().meta({ description: 'Mean over examples of candidate − baseline pass rate; null without one.' }),
    p_value: Fraction.nullable(),
    verdict: z.enum(['improved', 'regressed', 'within-noise', 'n/a']),
  })
  .meta({ id: 'SplitComparison' });
export type SplitComparison = z.infer<typeof SplitComparison>;

/** A run as hillclimb sees it: what it ran, and what it used. */
export const HillclimbSide = z
  .object({
    run_index: Count,
    adapter: z.string().nullable(),
    provider: z.string().meta({ description: 'The engine of a model, or the address of an endpoint.' }),
    project: z.string(),
    workflow: z.string().meta({ description: 'Name of the suite.' }),
    suite_hash: z.string(),
    case_set_hash: z.string().meta({ description: 'Digest of the complete examples with their splits.' }),
    split_filter: z.string().nullable(),
    cases: Count,
    reps: Count,
    definition_hashes: z
      .array(z.string())
      .meta({ description: 'Identities of the target that were observed, sorted; more than one decides nothing.' }),
    errors: Count.meta({ description: 'Samples that ended as error.' }),
    mean_duration_ms: z.number().min(0).nullable().meta({ description: 'Per sample that ran.' }),
    cost_usd: z.string().nullable().meta({ description: 'null when a sample is unpriced.' }),
    total_tokens: Count.nullable().meta({ description: 'null when a sample’s are unknown.' }),
  })
  .meta({ id: 'HillclimbSide' });
export type HillclimbSide = z.infer<typeof HillclimbSide>;

export const HillclimbWarning = z
  .object({
    code: z.enum(['HEADROOM', 'NOISE', 'POWER', 'HASH', 'ERRORS', 'NO_TRAIN_SPLIT', 'SAME_DEFINITION', 'PROVIDER', 'FEW_CHANGED']),
    side: z.enum(['baseline', 'candidate']).nullable().meta({ description: 'null when it is about the comparison.' }),
    message: z.string(),
  })
  .meta({ id: 'HillclimbWarning' });
export type HillclimbWarning = z.infer<typeof HillclimbWarning>;

export const HillclimbDecision = z
  .enum(['keep', 'revert', 'not_comparable'])
  .meta({ id: 'HillclimbDecision', description: 'Automation of a hillclimb reads this word.' });
export type HillclimbDecision = z.infer<typeof HillclimbDecision>;

/** Which line of the decision table decided. */
export const HillclimbRule = z
  .enum([
    'not_comparable',
    'errors',
    'split_regressed',
    'overall_regressed',
    'overall_not_improved',
    'nothing_held_out',
    'test_improved_without_train_split',
    'test_flat',
    'train_flat',
    'all_improved',
  ])
  .meta({ id: 'HillclimbRule' });
export type HillclimbRule = z.infer<typeof HillclimbRule>;

/** What `hillclimb_v1` computes its decision from; the same under every reading of the errors. */
export const HillclimbReading = z
  .object({
    decision: HillclimbDecision,
    rule: HillclimbRule,
    outcome: GateOutcome,
    overall: SplitComparison,
    train: SplitComparison,
    test: SplitComparison,
  })
  .meta({ id: 'HillclimbReading' });
export type HillclimbReading = z.infer<typeof HillclimbReading>;

/** Every number that `hillclimb_v1` decided from. */
export const HillclimbEvidence = HillclimbReading.extend({
  policy_version: z.literal('hillclimb_v1'),
  eval_job_id: z.string(),
  alpha: z.number(),
  baseline: HillclimbSide,
  candidate: HillclimbSide,
  warnings: z.array(HillclimbWarning),
}).meta({ id: 'HillclimbEvidence' });
export type HillclimbEvidence = z.infer<typeof HillclimbEvidence>;
