export { ExactSum } from './exact-sum.js';
export { exactSignTest } from './exact-sign-test.js';
export { mean } from './mean.js';
export { mulberry32 } from './mulberry32.js';
export { pairedDifference, type PairedDifference } from './paired-difference.js';
export { signFlipPermutationTest, type SignFlipResult } from './sign-flip-permutation-test.js';
export { wilsonInterval, type Interval } from './wilson-interval.js';
