import { z } from 'zod';
import { PairedCounts } from './comparison.js';
import { GateEvidence, GateOutcome } from './gate-evidence.js';

const Reading = z.object({ outcome: GateOutcome, counts: PairedCounts }).meta({ id: 'ErrorBoundReading' });

/**
 * `error_bounds_v1`: the policy's outcome as measured, with every error at the candidate's worst, and at its best.
 * Unless all three agree the verdict is `inconclusive`.
 */
export const ErrorBounds = z
  .object({
    policy_version: z.literal('error_bounds_v1'),
    actual: Reading,
    worst: Reading,
    best: Reading,
    agree: z.boolean(),
  })
  .meta({ id: 'ErrorBounds' });
export type ErrorBounds = z.infer<typeof ErrorBounds>;

/** A decision with everything it was computed from. */
export const Verdict = z
  .object({
    policy_version: z.literal('paired_wilson_v1'),
    baseline_run_index: z.int().min(0),
    candidate_run_index: z.int().min(0),
    outcome: GateOutcome,
    reason: z.string().meta({ description: 'One sentence: the rule that decided.' }),
    evidence: GateEvidence.nullable().meta({ description: 'null when the evidence itself was refused (outcome error).' }),
    error_bounds: ErrorBounds.nullable(),
    input_digest: z.string().meta({ description: 'Digest of what was decided from; deciding again gives the same bytes.' }),
  })
  .meta({ id: 'Verdict' });
export type Verdict = z.infer<typeof Verdict>;
