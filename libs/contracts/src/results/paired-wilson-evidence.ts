import { z } from 'zod';
import { Fraction } from '../scalars/fraction.js';
import { GateOutcome } from './gate-outcome.js';

const Count = z.int().min(0);

/** Every number that `paired_wilson_v1` decided from. Requirements that were not set are null, with what was observed beside them. */
export const PairedWilsonEvidence = z
  .object({
    policy_version: z.literal('paired_wilson_v1'),
    suite_policy: z.literal('single_versioned_suite'),
    eval_job_id: z.string(),
    suite_name: z.string(),
    suite_hash: z.string(),
    effective_generation_hash: z.string(),
    baseline_adapter: z.string().nullable(),
    candidate_adapter: z.string().nullable(),
    aggregation: z.string().meta({ description: 'single, mean@K, pass@K or majority@K.' }),
    minimum_paired_examples: Count,
    paired_examples: Count,
    improved: Count,
    regressed: Count,
    tied: Count,
    exact_sign_test_p_value: Fraction,
    exact_sign_test_alpha: z.number(),
    baseline_accuracy: Fraction,
    baseline_accuracy_lower_bound: Fraction,
    baseline_accuracy_upper_bound: Fraction,
    candidate_accuracy: Fraction,
    candidate_accuracy_lower_bound: Fraction,
    candidate_accuracy_upper_bound: Fraction,
    accuracy_confidence_level: z.number(),
    minimum_accuracy: Fraction,
    required_relative_recovery: z.number().nullable(),
    observed_relative_recovery_lower_bound: z.number(),
    required_absolute_gain: z.number().nullable(),
    observed_absolute_gain_lower_bound: z.number(),
    outcome: GateOutcome,
  })
  .meta({ id: 'PairedWilsonEvidence' });
export type PairedWilsonEvidence = z.infer<typeof PairedWilsonEvidence>;
