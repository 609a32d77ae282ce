import { z } from 'zod';
import { Fraction } from '../scalars/fraction.js';

const Count = z.int().min(0);

/** How far a job is, over all its runs. The running numbers are over completed examples and null before the first. */
export const Progress = z
  .object({
    examples_completed: Count,
    examples_total: Count,
    samples_completed: Count,
    samples_total: Count,
    samples_generated: Count.meta({
      description: 'Samples generated so far, of runs whose judges or code scorers follow; 0 for the others.',
    }),
    running_accuracy: Fraction.nullable(),
    running_mean_score: Fraction.nullable(),
  })
  .meta({ id: 'Progress' });
export type Progress = z.infer<typeof Progress>;
