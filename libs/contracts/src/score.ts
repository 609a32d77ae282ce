import { z } from 'zod';
import { OutcomeKind } from './outcome-kind.js';
import { Fraction } from './scalars/fraction.js';

/** A scorer's result on one trace. `detail` says how it came to it, in a form of the scorer's own. */
export const Score = z.object({ kind: OutcomeKind, score: Fraction, detail: z.unknown() }).meta({ id: 'Score' });
export interface Score {
  kind: OutcomeKind;
  /** From 0 to 1. */
  score: number;
  detail: unknown;
}
