import { z } from 'zod';
import { Fraction } from '../scalars/fraction.js';

/** What a threshold of {@link ObjectiveGatesGate} is when it is left out, or written as 0. */
export const OBJECTIVE_GATES_DEFAULTS = Object.freeze({
  completeness_floor: 0.8,
  win_threshold: 0.55,
  gate_rejected_rate_pp: 2,
  gate_rounds_pct: 20,
  gate_cost_pct: 25,
});

const { completeness_floor, win_threshold, gate_rejected_rate_pp, gate_rounds_pct, gate_cost_pct } = OBJECTIVE_GATES_DEFAULTS;

/**
 * Does the candidate call tools worse, take more rounds or cost more, and do judges prefer it? A written 0 takes the
 * default, as an omitted field does: options that were all zero would fail every gate.
 */
export const ObjectiveGatesGate = z
  .strictObject({
    policy: z.literal('objective_gates_v1'),
    completeness_floor: Fraction.default(completeness_floor).meta({
      description: 'Least share of the samples that must have run; 0 = the default.',
    }),
    win_threshold: Fraction.default(win_threshold).meta({ description: 'Least share of judged pairs to win; 0 = the default.' }),
    gate_rejected_rate_pp: z
      .number()
      .min(0)
      .default(gate_rejected_rate_pp)
      .meta({ description: 'Largest rise of the rejected tool-call rate, in percentage points; 0 = the default.' }),
    gate_rounds_pct: z
      .number()
      .min(0)
      .default(gate_rounds_pct)
      .meta({ description: 'Largest rise of the mean rounds, in percent; 0 = the default.' }),
    gate_cost_pct: z
      .number()
      .min(0)
      .nullable()
      .default(gate_cost_pct)
      .meta({ description: 'Largest rise of the mean cost per example, in percent; 0 = the default; null = cost is not gated.' }),
  })
  .meta({ id: 'ObjectiveGatesGate' });
export type ObjectiveGatesGate = z.output<typeof ObjectiveGatesGate>;
