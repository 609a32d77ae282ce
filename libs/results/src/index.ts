export { type ComputedResults, type ComputeOptions, computeResults } from './compute-results.js';
