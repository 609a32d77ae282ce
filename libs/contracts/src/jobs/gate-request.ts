import { z } from 'zod';
import { HillclimbGate } from './hillclimb-gate.js';
import { ObjectiveGatesGate } from './objective-gates-gate.js';
import { PairedWilsonGate } from './paired-wilson-gate.js';

/**
 * A gate for every candidate of a compare: a policy with its thresholds, `paired_wilson_v1` where none is named. Unknown
 * fields are refused: a misspelt requirement would silently not be one.
 */
export const GateRequest = z
  .discriminatedUnion('policy', [PairedWilsonGate, ObjectiveGatesGate, HillclimbGate], {
    error: (issue) =>
      issue.code === 'invalid_union' ? 'unknown policy; use paired_wilson_v1, objective_gates_v1 or hillclimb_v1' : undefined,
  })
  .meta({ id: 'GateRequest' });
export type GateRequest = z.output<typeof GateRequest>;

/** The name and version of a policy. */
export type PolicyVersion = GateRequest['policy'];
export type GateRequestOf<P extends PolicyVersion> = Extract<GateRequest, { policy: P }>;
