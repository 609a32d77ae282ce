export { createDatabase } from './create-database.js';
export { canListen, freePort } from './free-port.js';
export { type ProcessFacts, processFacts, waitForExit } from './process-facts.js';
export { type LocalPostgres, type LocalPostgresOptions, startLocalPostgres } from './start-local-postgres.js';
export { type Leftover, stopLeftover } from './stop-leftover.js';
