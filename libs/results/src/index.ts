export { type ComputeOptions, computeResults } from './compute-results.js';
export { type ComputedResults } from './computed-results.js';
export { JobReducer } from './job-reducer.js';
export { signFlipTests } from './sign-flip/sign-flip-tests.js';
