import { z } from 'zod';
import { Fraction } from '../scalars/fraction.js';

/** Is the candidate good enough, and shown to be better than the baseline, or to hold its level? */
export const PairedWilsonGate = z
  .strictObject({
    // Optional inside its default: so a request without a policy still has a discriminator that the union knows.
    policy: z.literal('paired_wilson_v1').optional().default('paired_wilson_v1'),
    min_accuracy: Fraction.meta({ description: 'The candidate’s 95 % Wilson lower bound must reach it.' }),
    min_relative_recovery: z.number().min(0).exactOptional().meta({ description: 'Least candidate lower bound ÷ baseline upper bound.' }),
    min_absolute_gain: z
      .number()
      .min(-1)
      .max(1)
      .exactOptional()
      .meta({ description: 'Least candidate lower bound − baseline upper bound.' }),
  })
  .meta({ id: 'PairedWilsonGate' });
export type PairedWilsonGate = z.output<typeof PairedWilsonGate>;
