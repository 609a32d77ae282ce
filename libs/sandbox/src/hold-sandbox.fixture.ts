import { createSandbox } from './create-sandbox.js';
import { OPTIONS, ranIn } from './sandbox.fixture.js';

// A worker that is killed while code runs: argv[2] marks the program's processes.
const mark = process.argv[2] ?? '';
const argv = ['sh', '-c', `sleep ${mark} & sleep ${mark}`] as const;
await ranIn(createSandbox(OPTIONS), argv, { timeoutMs: 60_000 });
