export { ClusterIndex } from './clusters/cluster-index.js';
export { ClusterSums } from './clusters/cluster-sums.js';
export { MetricsAccumulator, type MeasuredExample, type StoredTotals } from './metrics/metrics-accumulator.js';
export { CONFIDENCE_LEVEL, OutcomeTally, rate, rateInterval } from './metrics/outcome-tally.js';
export { type SampleUsage } from './metrics/sample-tally.js';
export { reduceWithErrorBounds, type BoundedOutcome } from './reduce-with-error-bounds.js';
export { ReducerError } from './reducer-error.js';
export { type ReducibleRow } from './reducers/reduction.js';
