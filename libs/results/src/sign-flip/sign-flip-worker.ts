import { parentPort, workerData } from 'node:worker_threads';
import { signFlipPermutationTest } from '@kiln/statistics';
import { type SignFlipInput } from '@kiln/verdicts';

// A thread of its own: started by sign-flip-tests.ts for one list of tests, and gone after it.
const inputs = workerData as readonly SignFlipInput[];
parentPort?.postMessage(inputs.map(({ deltas, unmoved }) => signFlipPermutationTest(deltas, { unmoved })));
