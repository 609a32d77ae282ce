import { z } from 'zod';
import { Fraction } from '../scalars/fraction.js';

/** A gate for every candidate of a compare. Unknown fields are refused: a misspelt requirement would silently not be one. */
export const GateRequest = z
  .strictObject({
    policy: z.literal('paired_wilson_v1').default('paired_wilson_v1'),
    min_accuracy: Fraction.meta({ description: 'The candidate’s 95 % Wilson lower bound must reach it.' }),
    min_relative_recovery: z.number().min(0).exactOptional().meta({ description: 'Least candidate lower bound ÷ baseline upper bound.' }),
    min_absolute_gain: z
      .number()
      .min(-1)
      .max(1)
      .exactOptional()
      .meta({ description: 'Least candidate lower bound − baseline upper bound.' }),
  })
  .meta({ id: 'GateRequest' });
export type GateRequest = z.output<typeof GateRequest>;
