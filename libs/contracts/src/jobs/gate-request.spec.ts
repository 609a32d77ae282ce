import { describe, expect, it } from 'vitest';
import { parseWith } from '../errors/parse-with.js';
import { GateRequest } from './gate-request.js';

describe('GateRequest', () => {
  it('is paired_wilson_v1 where no policy is named', () => {
    expect(GateRequest.parse({ min_accuracy: 0.9 })).toEqual({ policy: 'paired_wilson_v1', min_accuracy: 0.9 });
  });

  it('fills the thresholds of objective_gates_v1', () => {
    expect(GateRequest.parse({ policy: 'objective_gates_v1', gate_cost_pct: null })).toEqual({
      policy: 'objective_gates_v1',
      completeness_floor: 0.8,
      win_threshold: 0.55,
      gate_rejected_rate_pp: 2,
      gate_rounds_pct: 20,
      gate_cost_pct: null,
    });
  });

  it('has no thresholds for hillclimb_v1', () => {
    expect(GateRequest.parse({ policy: 'hillclimb_v1' })).toEqual({ policy: 'hillclimb_v1' });
  });

  it.each([
    [{}, 'min_accuracy: is required'],
    [{ policy: 'wilson' }, 'policy: unknown policy; use paired_wilson_v1, objective_gates_v1 or hillclimb_v1'],
    [{ policy: 'hillclimb_v1', min_accuracy: 0.9 }, 'unknown field "min_accuracy"'],
    [{ policy: 'objective_gates_v1', min_accuracy: 0.9 }, 'unknown field "min_accuracy"'],
    [{ min_accuracy: 0.9, gate_cost_pct: 5 }, 'unknown field "gate_cost_pct"'],
    [{ policy: 'objective_gates_v1', win_threshold: 1.1 }, 'win_threshold: must be at most 1'],
    [{ policy: 'objective_gates_v1', gate_rounds_pct: -1 }, 'gate_rounds_pct: must be at least 0'],
    [{ policy: 'objective_gates_v1', win_threshold: null }, 'win_threshold: expected a number'],
  ])('refuses %j', (written, message) => {
    expect(() => parseWith(GateRequest, written, 'gate')).toThrow(message);
  });
});
