export { type ComputeOptions, computeResults } from './compute-results.js';
export { type ComputedResults } from './computed-results.js';
export { JobReducer } from './job-reducer.js';
export { compareReplay } from './replay/compare-replay.js';
export { currentInputs, type CurrentInputs } from './replay/current-inputs.js';
export { freezeReplayRecord } from './replay/freeze-replay-record.js';
export { replayRecordText } from './replay/replay-record-text.js';
export { signFlipTests } from './sign-flip/sign-flip-tests.js';
