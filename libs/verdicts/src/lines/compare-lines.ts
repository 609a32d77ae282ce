import { type HillclimbEvidence, type SplitComparison, type SplitRate } from '@kiln/contracts';
import { percentText, pointsText, pText } from './figures.js';

/**
 * A comparison before and after, as it is printed: a line for each split that has examples, what the sides used, and what
 * to mind. The decision is {@link verdictLine}'s.
 *
 * @example 'overall  60.0% [38.7%, 78.1%] → 90.0% [69.9%, 97.2%]  +30.0 pts  improved  (6/20 cases changed, p=0.031)'
 */
export function compareLines({ overall, train, test, baseline, candidate, warnings, alpha }: HillclimbEvidence): string[] {
  const splits: [string, SplitComparison][] = [
    ['overall', overall],
    ['train', train],
    ['test', test],
  ];
  return [
    ...splits.filter(([name, { cases }]) => name === 'overall' || cases > 0).map(([name, split]) => splitLine(name, split, alpha)),
    `cost     ${usd(baseline.cost_usd)} → ${usd(candidate.cost_usd)}  duration ${ms(baseline.mean_duration_ms)} → ${ms(candidate.mean_duration_ms)}  tokens ${tokens(baseline.total_tokens)} → ${tokens(candidate.total_tokens)}`,
    ...warnings.map(({ code, side, message }) => `${code}${side === null ? '' : ` (${side})`}: ${message}`),
  ];
}

function splitLine(
  name: string,
  { cases, changed, baseline, candidate, mean_delta, p_value, verdict }: SplitComparison,
  alpha: number,
): string {
  const label = name.padEnd('overall'.length);
  if (mean_delta === null || p_value === null) return `${label}  ${verdict}  (no cases)`;
  return [
    label,
    `${rateText(baseline)} → ${rateText(candidate)}`,
    pointsText(mean_delta),
    verdict,
    `(${changed}/${cases} cases changed, ${pText(p_value, alpha)})`,
  ].join('  ');
}

function rateText({ rate, interval }: SplitRate): string {
  if (rate === null || interval === null) return 'n/a';
  return `${percentText(rate, 1)} [${percentText(interval.lower, 1)}, ${percentText(interval.upper, 1)}]`;
}

function usd(amount: string | null): string {
  return amount === null ? 'unknown' : `$${amount}`;
}

function ms(duration: number | null): string {
  return duration === null ? 'unknown' : `${Math.round(duration)} ms`;
}

function tokens(count: number | null): string {
  return count === null ? 'unknown' : String(count);
}
