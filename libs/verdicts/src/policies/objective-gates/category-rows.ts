import { type CategoryRow, type GateCheck } from '@kiln/contracts';
import { gateChecks } from './gate-checks.js';
import { judgedPairs, NO_VOTES, type PairVotes } from './judged-pairs.js';
import { type ObjectiveTotals } from './objective-gates-accumulator.js';
import { type ObjectiveThresholds } from './thresholds.js';

/** What each category would say on its own, so that a win overall cannot hide where it loses (contracts §3.2). */
export function categoryRows(
  categories: ObjectiveTotals['categories'],
  votes: ReadonlyMap<string, PairVotes>,
  thresholds: ObjectiveThresholds,
): CategoryRow[] {
  return categories.map(({ category, baseline, candidate }) => {
    const judged = judgedPairs(votes.get(category) ?? NO_VOTES);
    const [rejected, rounds, cost] = gateChecks(baseline, candidate, thresholds) as [GateCheck, GateCheck, GateCheck];
    const lost = judged.win_rate !== null && judged.win_rate < thresholds.win_threshold;
    return {
      category,
      ...judged,
      rejected_rate_delta_pp: rejected.delta ?? 0,
      mean_rounds_delta_pct: rounds.delta ?? 0,
      mean_cost_per_task_delta_pct: cost.delta,
      regressed: lost || [rejected, rounds, cost].some(({ passed }) => passed === false),
    };
  });
}
