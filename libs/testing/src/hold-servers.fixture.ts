import { dirname } from 'node:path';
import { scratchFolder } from './process-guard.js';
import { startPostgres } from './start-postgres.js';

// A process that starts a server and then waits to be killed; start-postgres.int.spec.ts runs it.
const postgres = await startPostgres();
process.send?.([[postgres.pid], dirname(scratchFolder('probe'))]);
setInterval(() => undefined, 60_000);
