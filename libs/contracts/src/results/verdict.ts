import { z } from 'zod';
import { HillclimbErrorBounds, ObjectiveErrorBounds, PairedErrorBounds } from './error-bounds.js';
import { GateOutcome } from './gate-outcome.js';
import { HillclimbEvidence } from './hillclimb-evidence.js';
import { ObjectiveGatesEvidence } from './objective-gates-evidence.js';
import { PairedWilsonEvidence } from './paired-wilson-evidence.js';

function verdict<V extends string, E extends z.ZodType, B extends z.ZodType>(version: V, evidence: E, bounds: B) {
  return z.object({
    policy_version: z.literal(version),
    baseline_run_index: z.int().min(0),
    candidate_run_index: z.int().min(0),
    outcome: GateOutcome,
    reason: z.string().meta({ description: 'The rule that decided.' }),
    evidence: evidence.nullable().meta({ description: 'null when the evidence itself was refused (outcome error).' }),
    error_bounds: bounds.nullable(),
    input_digest: z.string().meta({ description: 'Digest of what was decided from; deciding again gives the same bytes.' }),
  });
}

export const PairedWilsonVerdict = verdict('paired_wilson_v1', PairedWilsonEvidence, PairedErrorBounds).meta({ id: 'PairedWilsonVerdict' });
export type PairedWilsonVerdict = z.infer<typeof PairedWilsonVerdict>;

export const ObjectiveGatesVerdict = verdict('objective_gates_v1', ObjectiveGatesEvidence, ObjectiveErrorBounds).meta({
  id: 'ObjectiveGatesVerdict',
});
export type ObjectiveGatesVerdict = z.infer<typeof ObjectiveGatesVerdict>;

export const HillclimbVerdict = verdict('hillclimb_v1', HillclimbEvidence, HillclimbErrorBounds).meta({ id: 'HillclimbVerdict' });
export type HillclimbVerdict = z.infer<typeof HillclimbVerdict>;

/** A decision with everything it was computed from. */
export const Verdict = z
  .discriminatedUnion('policy_version', [PairedWilsonVerdict, ObjectiveGatesVerdict, HillclimbVerdict])
  .meta({ id: 'Verdict' });
export type Verdict = z.infer<typeof Verdict>;

/** The verdicts of a job’s candidates, in the order of its runs. */
export const VerdictList = z.object({ job_id: z.string(), verdicts: z.array(Verdict) }).meta({ id: 'VerdictList' });
export type VerdictList = z.infer<typeof VerdictList>;
