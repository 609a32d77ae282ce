import { z } from 'zod';
import { Fraction } from '../scalars/fraction.js';

/** A confidence interval of a rate. */
export const Interval = z
  .object({ lower: Fraction, upper: Fraction, confidence_level: z.number() })
  .meta({ id: 'Interval', description: 'Wilson score interval.' });
export type Interval = z.infer<typeof Interval>;
