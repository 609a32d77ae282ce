import { type JobCompleteness, type ObjectiveDecision, type ObjectiveReading } from '@kiln/contracts';
import { distinctly, percentText, riseText } from '../../lines/figures.js';
import { OBJECTIVE_OUTCOMES } from '../decision-outcomes.js';
import { GATE_NAMES, gateChecks } from './gate-checks.js';
import { judgedPairs, type PairVotes } from './judged-pairs.js';
import { type SideTotals } from './side-totals.js';
import { type ObjectiveThresholds } from './thresholds.js';

/** The numbers of one reading. */
export interface ObjectiveNumbers {
  readonly baseline: SideTotals;
  readonly candidate: SideTotals;
  readonly completeness: Pick<JobCompleteness, 'ok_samples' | 'expected_samples' | 'pairs'>;
  readonly votes: PairVotes;
}

type Ruling = { readonly decision: ObjectiveDecision; readonly reason: string };

/** Completeness, gate table, win rate, and what the rule makes of them. */
export function objectiveReading(
  { baseline, candidate, completeness, votes }: ObjectiveNumbers,
  thresholds: ObjectiveThresholds,
): { readonly reading: ObjectiveReading; readonly reason: string } {
  const { ok_samples, expected_samples } = completeness;
  const judged = judgedPairs(votes);
  const ratio = expected_samples === 0 ? null : ok_samples / expected_samples;
  const measured = {
    completeness: {
      ...completeness,
      ratio,
      conclusive: ratio !== null && ratio >= thresholds.completeness_floor,
      pairs_judged: judged.judged,
    },
    gates: gateChecks(baseline, candidate, thresholds),
    judged,
  };
  const { decision, reason } = decide(measured, thresholds);
  return { reading: { decision, outcome: OBJECTIVE_OUTCOMES[decision], ...measured }, reason };
}

/**
 * The rule of contracts §3.1, first match wins, with one line of ours: a gate whose cost is unknown neither passed nor
 * failed, so it blocks (ruling 13) unless another gate failed. `gate_cost_pct: null` lifts it.
 */
function decide(
  { completeness, gates, judged }: Pick<ObjectiveReading, 'completeness' | 'gates' | 'judged'>,
  { completeness_floor: floor, win_threshold: needed }: ObjectiveThresholds,
): Ruling {
  if (!completeness.conclusive) return { decision: 'inconclusive', reason: thinReason(completeness, floor) };
  const failed = gates.find(({ passed }) => passed === false);
  if (failed) {
    const { delta, threshold, unit } = failed;
    const [rise, allowed] = distinctly((digits, value) => riseText(value, unit, digits), delta ?? 0, threshold ?? 0, 1);
    return { decision: 'downgrade', reason: `${GATE_NAMES[failed.gate]} regressed ${rise} against a ${allowed} threshold` };
  }
  const open = gates.find(({ passed }) => passed === null);
  if (open) {
    return { decision: 'inconclusive', reason: `${GATE_NAMES[open.gate]} is unknown, because a sample has no known price` };
  }
  if (judged.win_rate === null) return { decision: 'no_regressions', reason: 'no objective gate regressed, and no pair is judged yet' };
  const [won, threshold] = distinctly((digits, value) => percentText(value, digits), judged.win_rate, needed, 0);
  const rate = `judge win-rate ${won} over ${judged.judged} judged pair(s)`;
  return judged.win_rate >= needed
    ? { decision: 'upgrade', reason: `${rate} meets the ${threshold} threshold, and no objective gate regressed` }
    : { decision: 'downgrade', reason: `${rate} is below the ${threshold} threshold` };
}

function thinReason({ ok_samples, expected_samples, ratio }: JobCompleteness, floor: number): string {
  if (ratio === null) return 'no sample was to be run';
  const [ran, needed] = distinctly((digits, value) => percentText(value, digits), ratio, floor, 0);
  return `completeness ${ran} (${ok_samples} of ${expected_samples} samples) is below the ${needed} floor`;
}
