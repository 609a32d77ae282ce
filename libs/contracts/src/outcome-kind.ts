import { z } from 'zod';

/**
 * What a sample or an example came to: `pass` and `fail` were graded; `invalid` answered in a form that cannot be
 * graded; `error` is infrastructure, the model was not measured; `skipped` was not applicable.
 */
export const OutcomeKind = z.enum(['pass', 'fail', 'invalid', 'error', 'skipped']).meta({ id: 'OutcomeKind' });
export type OutcomeKind = z.infer<typeof OutcomeKind>;
