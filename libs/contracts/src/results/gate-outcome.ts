import { z } from 'zod';

/** `promoted` and `kept` passed; `demoted` and `regression` failed; `error` could not be decided on valid evidence. */
export const GateOutcome = z.enum(['promoted', 'kept', 'regression', 'demoted', 'inconclusive', 'error']).meta({ id: 'GateOutcome' });
export type GateOutcome = z.infer<typeof GateOutcome>;
