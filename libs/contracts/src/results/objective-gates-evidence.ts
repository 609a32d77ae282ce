import { z } from 'zod';
import { Fraction } from '../scalars/fraction.js';
import { GateOutcome } from './gate-outcome.js';

const Count = z.int().min(0);

/** What became of tool calls. Cached and suppressed ones ran nothing, so they are in no rate. */
export const ToolCallCounts = z
  .object({ ok: Count, rejected: Count, failed: Count, denied: Count, cached: Count, suppressed: Count })
  .meta({ id: 'ToolCallCounts' });
export type ToolCallCounts = z.infer<typeof ToolCallCounts>;

/** One side's objective numbers, over the samples that ran. */
export const ObjectiveMetrics = z
  .object({
    run_index: Count,
    adapter: z.string().nullable(),
    ok_samples: Count.meta({ description: 'Samples that are neither error nor skipped: the ones measured here.' }),
    error_samples: Count,
    tasks: Count.meta({ description: 'Distinct examples with a sample that ran.' }),
    tool_calls: ToolCallCounts,
    rejected_rate: Fraction.meta({ description: 'Rejected ÷ (ok + rejected + failed + denied); 0 without a call.' }),
    mean_rounds: z.number().min(0).meta({ description: 'Per sample; 0 without one.' }),
    mean_cost_per_task_usd: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'Cost of all samples ÷ distinct examples, so it grows with k; null when a sample is unpriced.' }),
    mean_latency_ms: z.number().min(0).meta({ description: 'Per sample; 0 without one.' }),
    wrapup_count: Count.meta({ description: 'Samples that stopped for repeated_calls or max_rounds.' }),
  })
  .meta({ id: 'ObjectiveMetrics' });
export type ObjectiveMetrics = z.infer<typeof ObjectiveMetrics>;

/** A line of the gate table. */
export const GateCheck = z
  .object({
    gate: z.enum(['rejected_rate', 'mean_rounds', 'mean_cost_per_task']),
    baseline: z.number().nullable(),
    candidate: z.number().nullable(),
    delta: z.number().nullable().meta({ description: 'In `unit`; 0 for a percent gate whose baseline is 0; null when unknown.' }),
    threshold: z.number().nullable().meta({ description: 'Largest delta that passes; null = not gated.' }),
    unit: z.enum(['pp', '%']),
    passed: z.boolean().nullable().meta({ description: 'null when the gate cannot be decided: a cost is unknown.' }),
  })
  .meta({ id: 'GateCheck' });
export type GateCheck = z.infer<typeof GateCheck>;

/** Judged pairs, from the candidate’s side. Ties stay in the denominator of the win rate. */
export const JudgedPairs = z
  .object({ judged: Count, wins: Count, losses: Count, ties: Count, win_rate: Fraction.nullable() })
  .meta({ id: 'JudgedPairs' });
export type JudgedPairs = z.infer<typeof JudgedPairs>;

/** One category of examples: what it would say on its own. */
export const CategoryRow = JudgedPairs.extend({
  category: z.string(),
  rejected_rate_delta_pp: z.number(),
  mean_rounds_delta_pct: z.number(),
  mean_cost_per_task_delta_pct: z.number().nullable(),
  regressed: z.boolean(),
}).meta({ id: 'CategoryRow' });
export type CategoryRow = z.infer<typeof CategoryRow>;

export const ObjectiveDecision = z
  .enum(['upgrade', 'downgrade', 'no_regressions', 'inconclusive'])
  .meta({ id: 'ObjectiveDecision', description: 'upgrade reads as outcome kept, downgrade as regression, the others as inconclusive.' });
export type ObjectiveDecision = z.infer<typeof ObjectiveDecision>;

/** How much of the whole job ran. */
export const JobCompleteness = z
  .object({
    ok_samples: Count,
    expected_samples: Count.meta({ description: 'Examples × completions × runs, less what was skipped.' }),
    ratio: Fraction.nullable(),
    conclusive: z.boolean(),
    pairs: Count.meta({ description: '(example, completion) with a sample that ran on both sides of this comparison.' }),
    pairs_judged: Count,
  })
  .meta({ id: 'JobCompleteness' });
export type JobCompleteness = z.infer<typeof JobCompleteness>;

/** What `objective_gates_v1` computes its decision from; the same under every reading of the errors. */
export const ObjectiveReading = z
  .object({
    decision: ObjectiveDecision,
    outcome: GateOutcome,
    completeness: JobCompleteness,
    gates: z.array(GateCheck),
    judged: JudgedPairs,
  })
  .meta({ id: 'ObjectiveReading' });
export type ObjectiveReading = z.infer<typeof ObjectiveReading>;

/** Every number that `objective_gates_v1` decided from, and the thresholds that it was measured against. */
export const ObjectiveGatesEvidence = ObjectiveReading.extend({
  policy_version: z.literal('objective_gates_v1'),
  eval_job_id: z.string(),
  suite_name: z.string(),
  suite_hash: z.string(),
  completeness_floor: Fraction,
  win_threshold: Fraction,
  baseline: ObjectiveMetrics,
  candidate: ObjectiveMetrics,
  categories: z.array(CategoryRow).meta({ description: 'Categories with pairs, the four known ones first.' }),
  divergence: z.string().nullable().meta({ description: 'Where an upgrade, or no regressions, hides a category that regressed.' }),
}).meta({ id: 'ObjectiveGatesEvidence' });
export type ObjectiveGatesEvidence = z.infer<typeof ObjectiveGatesEvidence>;
