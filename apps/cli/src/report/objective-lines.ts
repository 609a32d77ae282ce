import type { CategoryRow, GateCheck, JudgedPairs, ObjectiveGatesEvidence } from '@kiln/contracts';
import { percent } from '../terminal/numbers.js';
import { table } from '../terminal/table.js';

const COLUMNS = [
  { title: 'gate' },
  { title: 'baseline', align: 'right' },
  { title: 'candidate', align: 'right' },
  { title: 'delta', align: 'right' },
  { title: 'at most', align: 'right' },
  { title: '' },
] as const;

/** The numbers that `objective_gates_v1` decided from: the gate table, completeness, the judged pairs, the categories. */
export function objectiveLines(evidence: ObjectiveGatesEvidence): string[] {
  const { completeness, judged, categories } = evidence;
  const ran = `${completeness.ok_samples} of ${completeness.expected_samples} samples ran`;
  const votes = `${completeness.pairs_judged} of ${completeness.pairs} pairs judged`;
  return [
    ...table(COLUMNS, evidence.gates.map(gateRow)),
    `${ran} (${percent(completeness.ratio)}, at least ${percent(evidence.completeness_floor)}); ${votes}`,
    ...(judged.judged === 0
      ? []
      : [`${votesText(judged)}, win-rate ${percent(judged.win_rate)} (at least ${percent(evidence.win_threshold)})`]),
    ...(categories.length < 2 ? [] : categories.map(categoryLine)),
  ];
}

function gateRow({ gate, baseline, candidate, delta, threshold, unit, passed }: GateCheck): string[] {
  const mark = threshold === null ? 'not gated' : passed === null ? 'unknown' : passed ? 'pass' : 'FAIL';
  return [gate, value(gate, baseline), value(gate, candidate), rise(delta, unit), rise(threshold, unit), mark];
}

function value(gate: GateCheck['gate'], amount: number | null): string {
  if (amount === null) return 'unknown';
  if (gate === 'rejected_rate') return percent(amount);
  return gate === 'mean_rounds' ? amount.toFixed(2) : `$${Number(amount.toPrecision(4))}`;
}

function rise(delta: number | null, unit: GateCheck['unit']): string {
  return delta === null ? '–' : `${delta > 0 ? '+' : ''}${delta.toFixed(1)}${unit}`;
}

function votesText({ wins, losses, ties }: JudgedPairs): string {
  return `${wins} won, ${losses} lost, ${ties} tied`;
}

function categoryLine(row: CategoryRow): string {
  const deltas = [
    `rejected ${rise(row.rejected_rate_delta_pp, 'pp')}`,
    `rounds ${rise(row.mean_rounds_delta_pct, '%')}`,
    `cost ${rise(row.mean_cost_per_task_delta_pct, '%')}`,
  ];
  const judged = row.judged === 0 ? [] : [`${votesText(row)}`];
  return `${row.category}: ${[...deltas, ...judged, ...(row.regressed ? ['regressed'] : [])].join(', ')}`;
}
