import { z } from 'zod';
import { PairedCounts } from './comparison.js';
import { GateOutcome } from './gate-outcome.js';
import { HillclimbReading } from './hillclimb-evidence.js';
import { ObjectiveReading } from './objective-gates-evidence.js';

const Count = z.int().min(0);

/** Errors on one side of a comparison that leave an example’s outcome open. */
export const OpenErrors = z
  .object({ samples: Count, examples: Count.meta({ description: 'Examples that have such a sample.' }) })
  .meta({ id: 'OpenErrors' });
export type OpenErrors = z.infer<typeof OpenErrors>;

/** What `paired_wilson_v1` says under one reading of the errors. */
export const PairedReading = z.object({ outcome: GateOutcome, counts: PairedCounts }).meta({ id: 'PairedReading' });
export type PairedReading = z.infer<typeof PairedReading>;

function errorBounds<S extends z.ZodType>(reading: S) {
  return z.object({
    policy_version: z.literal('error_bounds_v1'),
    actual: reading,
    worst: reading,
    best: reading,
    agree: z.boolean(),
    errors: z.object({ baseline: OpenErrors, candidate: OpenErrors }),
    errors_that_could_change_it: Count.meta({ description: 'Error samples of both sides; 0 when all three readings agree.' }),
  });
}

/**
 * `error_bounds_v1`: the policy's outcome as measured, with every error at the candidate's worst, and at its best.
 * Unless all three agree the verdict is `inconclusive`.
 */
export const PairedErrorBounds = errorBounds(PairedReading).meta({ id: 'PairedErrorBounds' });
export const ObjectiveErrorBounds = errorBounds(ObjectiveReading).meta({ id: 'ObjectiveErrorBounds' });
export const HillclimbErrorBounds = errorBounds(HillclimbReading).meta({ id: 'HillclimbErrorBounds' });

/** The bounds of a policy whose readings are `Reading`. */
export interface ErrorBounds<Reading> {
  policy_version: 'error_bounds_v1';
  actual: Reading;
  worst: Reading;
  best: Reading;
  agree: boolean;
  errors: { baseline: OpenErrors; candidate: OpenErrors };
  errors_that_could_change_it: number;
}
