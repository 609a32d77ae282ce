import { migrate } from './migrate.js';

// A process that migrates the database of its argument and says what it applied.
process.send?.(await migrate(process.argv[2] ?? ''));
process.disconnect();
