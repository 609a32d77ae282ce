import { z } from 'zod';

/** Repeat one run of a completed job, byte for byte. Unknown fields are refused: nothing about a replay can be chosen. */
export const ReplayRequest = z
  .strictObject({ run_index: z.int().min(0).default(0).meta({ description: '0 = the baseline.' }) })
  .meta({ id: 'ReplayRequest' });
export type ReplayRequest = z.output<typeof ReplayRequest>;
