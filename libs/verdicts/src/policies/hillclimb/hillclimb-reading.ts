import { type HillclimbReading, type HillclimbRule, type SplitComparison } from '@kiln/contracts';
import { pointsText, pText } from '../../lines/figures.js';
import { HILLCLIMB_OUTCOMES } from '../decision-outcomes.js';
import { HILLCLIMB_ALPHA } from './split-tally.js';
import { type SplitComparisons } from './split-tallies.js';

type Ruling = { readonly rule: HillclimbRule; readonly reason: string };

/** What decides besides the splits. */
export interface HillclimbConditions {
  /** Why the sides cannot be compared; null when they can. */
  readonly refusal: string | null;
  /** Errors on each side that this reading did not fill. */
  readonly errors: { readonly baseline: number; readonly candidate: number };
}

export function hillclimbReading(
  splits: SplitComparisons,
  conditions: HillclimbConditions,
): { readonly reading: HillclimbReading; readonly reason: string } {
  const { rule, reason } = decide(splits, conditions);
  return { reading: { ...HILLCLIMB_OUTCOMES[rule], rule, ...splits }, reason };
}

/** The decision table of contracts §5.5, first match wins. */
function decide({ overall, train, test }: SplitComparisons, { refusal, errors }: HillclimbConditions): Ruling {
  if (refusal !== null) return { rule: 'not_comparable', reason: refusal };
  const failed = errors.baseline + errors.candidate;
  if (failed > 0) {
    const where = `${errors.baseline} before, ${errors.candidate} after`;
    return { rule: 'errors', reason: `${failed} ${failed === 1 ? 'sample' : 'samples'} errored (${where}), which is no measurement` };
  }
  for (const [name, split] of [
    ['test', test],
    ['train', train],
  ] as const) {
    if (split.verdict === 'regressed') return { rule: 'split_regressed', reason: `${name} regressed ${moved(split)}` };
  }
  if (overall.verdict !== 'improved') {
    const rule = overall.verdict === 'regressed' ? 'overall_regressed' : 'overall_not_improved';
    return { rule, reason: `overall is ${overall.verdict}${overall.cases === 0 ? '' : ` ${moved(overall)}`}` };
  }
  if (test.mean_delta === null)
    return { rule: 'nothing_held_out', reason: 'overall improved, but nothing is held out: there is no test split' };
  if (train.mean_delta === null) {
    return { rule: 'test_improved_without_train_split', reason: `test improved ${moved(test)}; without a train split it alone decides` };
  }
  const steps = `train ${pointsText(train.mean_delta)}, test ${pointsText(test.mean_delta)}`;
  if (test.mean_delta <= 0) return { rule: 'test_flat', reason: `overfitting: overall improved, but test did not (${steps})` };
  if (train.mean_delta <= 0) return { rule: 'train_flat', reason: `overall improved, but train did not (${steps})` };
  return { rule: 'all_improved', reason: `overall improved ${moved(overall)}, and both splits moved up (${steps})` };
}

function moved({ mean_delta, p_value }: SplitComparison): string {
  return `${pointsText(mean_delta ?? 0)} (${pText(p_value ?? 1, HILLCLIMB_ALPHA)})`;
}
