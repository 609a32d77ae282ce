import { type HillclimbSide, type HillclimbWarning, type SplitRate } from '@kiln/contracts';
import { type SplitComparisons } from './split-tallies.js';

type Side = 'baseline' | 'candidate';
type Found = Pick<HillclimbWarning, 'code' | 'message'>;

/** Fewer examples than this cannot move enough for any difference to be called. */
export const LEAST_CHANGED = 6;
const HEADROOM_ABOVE = 0.95;
const NOISY_WIDTH = 0.2;

/** What to fix next: of each side (contracts §5.3), then of the comparison (§5.5). What both sides share is said once. */
export function hillclimbWarnings(splits: SplitComparisons, baseline: HillclimbSide, candidate: HillclimbSide): HillclimbWarning[] {
  const before = sideWarnings(splits, 'baseline', baseline);
  const after = sideWarnings(splits, 'candidate', candidate);
  const isShared = ({ code, message }: Found): boolean => after.some((other) => other.code === code && other.message === message);
  return [
    ...before.map((found) => ({ ...found, side: isShared(found) ? null : ('baseline' as const) })),
    ...after
      .filter((found) => !before.some(({ code, message }) => code === found.code && message === found.message))
      .map((found) => ({ ...found, side: 'candidate' as const })),
    ...comparisonWarnings(splits, baseline, candidate).map((found) => ({ ...found, side: null })),
  ];
}

function sideWarnings({ overall, train, test }: SplitComparisons, name: Side, side: HillclimbSide): Found[] {
  const found: Found[] = [];
  const rates: [string, SplitRate][] = [
    ['overall', overall[name]],
    ['train', train[name]],
    ['test', test[name]],
  ];
  if ((test[name].rate ?? 0) > HEADROOM_ABOVE) {
    found.push({ code: 'HEADROOM', message: 'the test split passes above 95%: it cannot show an improvement; add harder examples' });
  }
  const noisy = rates
    .filter(([, { interval }]) => interval !== null && interval.upper - interval.lower > NOISY_WIDTH)
    .map(([split]) => split);
  if (noisy.length > 0) {
    found.push({ code: 'NOISE', message: `the interval of ${noisy.join(', ')} is wider than 20 points: add examples or completions` });
  }
  if (side.cases > 0 && side.cases < LEAST_CHANGED) {
    found.push({ code: 'POWER', message: `${side.cases} examples: at least 6 must change before a difference can be called` });
  }
  if (side.definition_hashes.length > 1) {
    found.push({ code: 'HASH', message: `${side.definition_hashes.length} definitions were observed: the target changed while it ran` });
  }
  if (side.errors > 0)
    found.push({ code: 'ERRORS', message: `${side.errors} samples errored: fix the infrastructure before reading a rate` });
  return found;
}

function comparisonWarnings({ overall, train, test }: SplitComparisons, baseline: HillclimbSide, candidate: HillclimbSide): Found[] {
  const found: Found[] = [];
  if (train.cases === 0 && test.cases > 0) {
    found.push({ code: 'NO_TRAIN_SPLIT', message: 'there is no train split, so test alone decides: declare one' });
  }
  const [before, after] = [baseline.definition_hashes, candidate.definition_hashes];
  if (before.length === 1 && after.length === 1 && before[0] === after[0]) {
    found.push({ code: 'SAME_DEFINITION', message: 'both sides ran the same target: a difference comes from elsewhere, or from chance' });
  }
  if (baseline.provider !== candidate.provider) {
    found.push({ code: 'PROVIDER', message: `the sides ran on different providers: ${baseline.provider} and ${candidate.provider}` });
  }
  if (overall.cases > 0 && overall.changed < LEAST_CHANGED) {
    found.push({
      code: 'FEW_CHANGED',
      message: `only ${overall.changed} examples changed: at least 6 must before a difference can be called`,
    });
  }
  return found;
}
