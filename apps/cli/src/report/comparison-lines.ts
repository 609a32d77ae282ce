import type { Comparison, Verdict } from '@kiln/contracts';
import { counted, interval, pValue, percent, points } from '../terminal/numbers.js';
import { safeText } from '../terminal/safe-text.js';
import type { Style } from '../terminal/style.js';
import { type Flip, flipLines } from './flip-lines.js';
import { verdictLines } from './verdict-lines.js';

/** How many example ids are named each way where their texts are not at hand. */
const NAMED_FLIPS = 8;

/**
 * One candidate against the baseline: both tests, the flips, and its verdict with evidence.
 * @param flips  examples to show with their texts; null = name ids only
 */
export function comparisonLines(comparison: Comparison, verdict: Verdict | null, flips: readonly Flip[] | null, style: Style): string[] {
  const { baseline, candidate, sign_test: sign, permutation_test: permutation, pairs } = comparison;
  const [before, after] = [safeText(baseline.name), safeText(candidate.name)];
  const lines = [
    style.bold(`${after} against ${before}`),
    entry(
      'accuracy',
      `${percent(baseline.accuracy)} → ${percent(candidate.accuracy)} on ${pairs.paired_examples} pairs${unpaired(comparison)}`,
    ),
    entry('mean score', meanScore(comparison)),
    entry(
      'sign test',
      `${sign.improved} up, ${sign.regressed} down, p = ${pValue(sign.p_value)}${sign.significant ? ', significant' : ''}${adjusted(comparison)}`,
    ),
  ];
  if (permutation !== null) {
    const how = permutation.method === 'none' ? 'nothing moved' : `${permutation.moved} moved, ${permutation.method}`;
    lines.push(entry('permutation', `${permutation.verdict}, p = ${pValue(permutation.p_value)} (${how})`));
  }
  const [first, ...evidence] = verdict === null ? [] : verdictLines(verdict, style);
  if (first !== undefined) lines.push(entry('gate', first), ...evidence.map((line) => entry('', line)));
  const { num_improved: up, num_regressed: down, both_pass: pass, both_fail: fail } = comparison;
  lines.push(entry('flips', `${up} to pass, ${down} away from pass; ${pass} pass on both sides, ${fail} on neither`));
  lines.push(...(flips === null ? idLines(comparison) : flipLines(flips, before, after, style)).map((line) => entry('', line)));
  return lines;
}

function entry(label: string, text: string): string {
  return `  ${label.padEnd(12)} ${text}`.trimEnd();
}

/** With the clustered interval where examples name clusters: the plain one is then too narrow, or too wide. */
function meanScore({ mean_score_delta, mean_score_delta_clustered: clustered, ...comparison }: Comparison): string {
  const bounds = interval(clustered?.confidence_interval ?? comparison.mean_score_delta_confidence_interval);
  const groups = clustered === null ? '' : ` over ${clustered.clusters} clusters`;
  const effect = comparison.minimum_detectable_effect;
  return (
    `${points(mean_score_delta)} points ${bounds}`.trimEnd() +
    groups +
    (effect === null ? '' : `; detectable from ${points(effect).slice(1)} points`)
  );
}

/** Nothing to adjust for where one candidate was compared. */
function adjusted({ adjusted_p }: Comparison): string {
  if (adjusted_p.comparisons === 1) return '';
  return `; among ${adjusted_p.comparisons} candidates p = ${pValue(adjusted_p.sign_test.holm)} (Holm)`;
}

function unpaired({ unpaired_examples: left }: Comparison): string {
  return left === 0 ? '' : `; ${counted(left, 'example')} ${left === 1 ? 'is' : 'are'} incomplete or skipped, and in no number here`;
}

function idLines({ improved, regressed }: Comparison): string[] {
  const named = (sign: string, ids: readonly string[]): string[] => {
    if (ids.length === 0) return [];
    const more = ids.length > NAMED_FLIPS ? ', …' : '';
    return [
      `${sign} ${ids
        .slice(0, NAMED_FLIPS)
        .map((id) => safeText(id))
        .join(', ')}${more}`,
    ];
  };
  return [...named('+', improved), ...named('−', regressed)];
}
