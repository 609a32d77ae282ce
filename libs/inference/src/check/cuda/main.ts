import { runCudaCheck } from './run-check.js';

process.exitCode = await runCudaCheck((line) => process.stdout.write(`${line}\n`));
