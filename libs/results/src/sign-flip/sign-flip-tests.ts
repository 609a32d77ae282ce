import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { KilnError } from '@kiln/contracts';
import { type SignFlipResult, signFlipPermutationTest } from '@kiln/statistics';
import { type SignFlipInput } from '@kiln/verdicts';

/** Up to this many moved pairs in all, the tests take about as long as a thread takes to start: 10 to 20 ms. */
const INLINE_MOVED = 500;

/**
 * Sign-flip tests, in the order given. They take 25 ms a thousand moved pairs, 5 s where 200,000 moved, so large ones run
 * in a thread: the process goes on to answer and to schedule meanwhile. The results are those of the plain function.
 *
 * @throws RangeError for a difference that is not finite.
 */
export async function signFlipTests(inputs: readonly SignFlipInput[]): Promise<(SignFlipResult | null)[]> {
  const moved = inputs.reduce((sum, { deltas }) => sum + deltas.length, 0);
  if (moved <= INLINE_MOVED) return inputs.map(({ deltas, unmoved }) => signFlipPermutationTest(deltas, { unmoved }));
  return new Promise((resolve, reject) => {
    // The process's own flags are not the thread's: a loader or a condition of tests would change what it imports.
    const thread = new Worker(workerProgram(), { workerData: inputs, execArgv: [] });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`the thread of the sign-flip tests ended without a result (${code})`)));
  });
}

/** The compiled program beside this file, or, when this file runs from source (tests), that of the last build. */
function workerProgram(): string {
  const here = fileURLToPath(import.meta.url);
  const folder = here.endsWith('.ts') ? join(dirname(here), '..', '..', 'dist', 'sign-flip') : dirname(here);
  const program = join(folder, 'sign-flip-worker.js');
  if (!existsSync(program)) {
    throw new KilnError('internal_error', `${program} does not exist`, { hint: 'build first: npx tsc -b libs/results' });
  }
  return program;
}
