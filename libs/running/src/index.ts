export { allocateDispatch, type JobDemand } from './allocate-dispatch.js';
export { decideClaim, type ClaimDecision, type ClaimFacts } from './decide-claim.js';
export { finalState, isTerminal } from './job-state.js';
export { ENDPOINT_IDENTITY, poolOf, queueName } from './queue-name.js';
export { planShards, MAX_SHARD_SAMPLES, type ShardRange } from './plan-shards.js';
export { retryDelayMs } from './retry-delay.js';
export { sampleBound, type SampleBound } from './sample-bound.js';
export { sampleDeadlineMs } from './sample-deadline.js';
export { MAX_CRASHES, MAX_STARTS, SINGLY_AFTER, type ShardEnd } from './shard-state.js';
