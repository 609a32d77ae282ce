import { type GateRequestOf, OBJECTIVE_GATES_DEFAULTS } from '@kiln/contracts';

export type ObjectiveThresholds = Omit<GateRequestOf<'objective_gates_v1'>, 'policy'>;

/** The thresholds in force: 0 takes the default, so that options which are all zero do not fail every gate. */
export function objectiveThresholds(request: GateRequestOf<'objective_gates_v1'>): ObjectiveThresholds {
  return {
    completeness_floor: request.completeness_floor || OBJECTIVE_GATES_DEFAULTS.completeness_floor,
    win_threshold: request.win_threshold || OBJECTIVE_GATES_DEFAULTS.win_threshold,
    gate_rejected_rate_pp: request.gate_rejected_rate_pp || OBJECTIVE_GATES_DEFAULTS.gate_rejected_rate_pp,
    gate_rounds_pct: request.gate_rounds_pct || OBJECTIVE_GATES_DEFAULTS.gate_rounds_pct,
    gate_cost_pct: request.gate_cost_pct === null ? null : request.gate_cost_pct || OBJECTIVE_GATES_DEFAULTS.gate_cost_pct,
  };
}
