import { measureLimits } from './measure-limits.js';

/** Prints the limits of a machine as JSON, as they are in the environment that this program is started with. Argument: tries. */
process.stdout.write(JSON.stringify(await measureLimits(Number(process.argv[2]))));
