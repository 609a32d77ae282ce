export { type SideIdentity } from './comparison/compared-side.js';
export { ComparisonAccumulator, type PairedResult } from './comparison/comparison-accumulator.js';
export { type ComparedPair, type PairingFacts } from './comparison/pair.js';
export { decideVerdict, type VerdictSubject } from './decide-verdict.js';
export { type BoundedVerdict } from './policies/error-bounds-v1.js';
export { type GateInput, type GateSide } from './policies/gate-input.js';
export { gateSeverity, mostSevere } from './policies/gate-severity.js';
