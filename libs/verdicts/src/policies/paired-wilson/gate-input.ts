import { type GateRequestOf, type PairedCounts } from '@kiln/contracts';
import { type PairingFacts } from '../../comparison/pair.js';
import { type VerdictSubject } from '../verdict-subject.js';

/** Everything that `paired_wilson_v1` decides from. */
export interface GateInput extends VerdictSubject {
  readonly facts: PairingFacts;
  readonly counts: PairedCounts;
  readonly requirements: GateRequestOf<'paired_wilson_v1'>;
}
