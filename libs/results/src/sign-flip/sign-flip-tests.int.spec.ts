import { signFlipPermutationTest } from '@kiln/statistics';
import { describe, expect, it } from 'vitest';
import { signFlipTests } from './sign-flip-tests.js';

/** `count` moved pairs: each third falls, sizes repeat every eleven. */
const moved = (count: number): Float64Array<ArrayBuffer> =>
  Float64Array.from({ length: count }, (_, index) => (((index * 7) % 11) / 10 + 0.1) * (index % 3 === 0 ? -1 : 1));

/** Timer ticks of this thread until `work` is done, and how long it took. */
async function ticksDuring(work: Promise<unknown>): Promise<{ ticks: number; ms: number }> {
  const started = performance.now();
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  try {
    await work;
  } finally {
    clearInterval(timer);
  }
  return { ticks, ms: performance.now() - started };
}

describe('signFlipTests', () => {
  it('gives what the plain function gives, in order, in a thread and without', async () => {
    for (const counts of [[], [0], [12, 0, 480], [600], [700, 3, 0, 25]]) {
      const inputs = counts.map((count, index) => ({ deltas: moved(count), unmoved: index }));
      expect(await signFlipTests(inputs)).toEqual(inputs.map(({ deltas, unmoved }) => signFlipPermutationTest(deltas, { unmoved })));
    }
  });

  it('compares 100,000 examples of which 1,000 moved within 2 s', async () => {
    const started = performance.now();
    const [result] = await signFlipTests([{ deltas: moved(1000), unmoved: 99_000 }]);
    expect(result).toMatchObject({ method: 'sampled', moved: 1000 });
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('lets the event loop go on while the tests run', async () => {
    // Some 20 times the work of the case above. On this thread not one tick would come before its end.
    const { ticks, ms } = await ticksDuring(signFlipTests([{ deltas: moved(20_000), unmoved: 0 }]));
    expect(ms).toBeGreaterThan(50);
    expect(ticks).toBeGreaterThan(5);
  });

  it('says what the thread says', async () => {
    await expect(signFlipTests([{ deltas: Float64Array.of(...moved(1000), Number.NaN), unmoved: 0 }])).rejects.toThrow(RangeError);
  });
});
