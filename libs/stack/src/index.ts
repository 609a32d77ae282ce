export { type Credentials, readCredentials } from './credentials.js';
export { type StackStatus, readStackStatus } from './read-stack-status.js';
export { type RunRecord, readRunRecord } from './run-record.js';
export { StackBusyError } from './stack-busy-error.js';
export { stackPaths } from './stack-paths.js';
export { type RunningStack, type StackOptions, startStack } from './start-stack.js';
export { type StopResult, stopStack } from './stop-stack.js';
export { waitUntilReady } from './wait-until-ready.js';
