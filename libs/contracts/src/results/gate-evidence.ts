import { z } from 'zod';
import { HillclimbEvidence } from './hillclimb-evidence.js';
import { ObjectiveGatesEvidence } from './objective-gates-evidence.js';
import { PairedWilsonEvidence } from './paired-wilson-evidence.js';

/** Every number that a policy decided from. */
export const GateEvidence = z
  .discriminatedUnion('policy_version', [PairedWilsonEvidence, ObjectiveGatesEvidence, HillclimbEvidence])
  .meta({ id: 'GateEvidence' });
export type GateEvidence = z.infer<typeof GateEvidence>;
