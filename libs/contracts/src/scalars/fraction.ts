import { z } from 'zod';

/** A number from 0 to 1, both included. */
export const Fraction = z.number().min(0).max(1);
