import { type GateOutcome, type HillclimbDecision, type HillclimbRule, type ObjectiveDecision } from '@kiln/contracts';

/**
 * How the words of `objective_gates_v1` read as outcomes of a gate. Gates alone can reject a candidate, never promote it:
 * until judges have seen it, "no regressions" shows nothing better.
 */
export const OBJECTIVE_OUTCOMES: Record<ObjectiveDecision, GateOutcome> = {
  upgrade: 'kept',
  downgrade: 'regression',
  no_regressions: 'inconclusive',
  inconclusive: 'inconclusive',
};

/**
 * How each line of the decision table of `hillclimb_v1` reads. A hillclimb reverts whatever is not shown to be better; a
 * gate tells what is shown to be worse (`regression`) from what is not shown at all (`inconclusive`), and from what could
 * not be compared (`error`).
 */
export const HILLCLIMB_OUTCOMES: Record<HillclimbRule, { readonly decision: HillclimbDecision; readonly outcome: GateOutcome }> = {
  not_comparable: { decision: 'not_comparable', outcome: 'error' },
  errors: { decision: 'revert', outcome: 'inconclusive' },
  split_regressed: { decision: 'revert', outcome: 'regression' },
  overall_regressed: { decision: 'revert', outcome: 'regression' },
  overall_not_improved: { decision: 'revert', outcome: 'inconclusive' },
  nothing_held_out: { decision: 'revert', outcome: 'inconclusive' },
  test_improved_without_train_split: { decision: 'keep', outcome: 'kept' },
  test_flat: { decision: 'revert', outcome: 'inconclusive' },
  train_flat: { decision: 'revert', outcome: 'inconclusive' },
  all_improved: { decision: 'keep', outcome: 'kept' },
};
