export { type ComputeOptions, computeResults } from './compute-results.js';
export { type ComputedResults } from './computed-results.js';
