import { type GateCheck } from '@kiln/contracts';
import { roundEvidence } from '@kiln/provenance';
import { measuredObjectives } from './objective-metrics.js';
import { type SideTotals } from './side-totals.js';
import { type ObjectiveThresholds } from './thresholds.js';

/** How a reason names a gate. */
export const GATE_NAMES: Record<GateCheck['gate'], string> = {
  rejected_rate: 'rejected tool-call rate',
  mean_rounds: 'mean rounds',
  mean_cost_per_task: 'mean cost per task',
};

/** The gate table: three lines, in the order in which they are named when several fail (contracts §3.1, §3.2). */
export function gateChecks(baseline: SideTotals, candidate: SideTotals, thresholds: ObjectiveThresholds): GateCheck[] {
  const before = measuredObjectives(baseline);
  const after = measuredObjectives(candidate);
  return [
    check('rejected_rate', before.rejected_rate, after.rejected_rate, thresholds.gate_rejected_rate_pp),
    check('mean_rounds', before.mean_rounds, after.mean_rounds, thresholds.gate_rounds_pct),
    check('mean_cost_per_task', before.mean_cost_per_task_usd, after.mean_cost_per_task_usd, thresholds.gate_cost_pct),
  ];
}

function check(gate: GateCheck['gate'], baseline: number | null, candidate: number | null, threshold: number | null): GateCheck {
  const unit = gate === 'rejected_rate' ? 'pp' : '%';
  const delta = baseline === null || candidate === null ? null : gateDelta(unit, baseline, candidate);
  const passed = threshold === null || (delta === null ? null : delta <= threshold);
  return { gate, baseline, candidate, delta, threshold, unit, passed };
}

/**
 * The rise in points, or in percent of the baseline; 0 percent over a baseline of nothing. Rounded as evidence is: 3.6
 * rounds over 3.0 are exactly 20 %, and binary fractions must not turn that into a failure.
 */
function gateDelta(unit: GateCheck['unit'], baseline: number, candidate: number): number {
  if (unit === '%' && baseline <= 0) return 0;
  const rise = candidate - baseline;
  return roundEvidence((unit === 'pp' ? rise : rise / baseline) * 100);
}
