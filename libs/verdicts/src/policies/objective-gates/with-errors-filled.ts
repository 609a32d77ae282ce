import { type SampleExtremes, type SideTotals } from './side-totals.js';

/**
 * A side's totals as if each of its errors had been a sample of the most, or of the least, that any sample of either side
 * was seen to reach: the most rejected calls, rounds and cost; or the least, with the most calls that went well. A sample
 * that never ran has no other bound. Where nothing was priced, a filled sample is unpriced too.
 *
 * @param seen the extremes of both sides; null when neither has a sample with a trace.
 */
export function withErrorsFilled(totals: SideTotals, seen: SampleExtremes | null, end: 'least' | 'most'): SideTotals {
  const errors = totals.error_samples;
  if (errors === 0 || seen === null) return totals;
  const at = end === 'least' ? 0 : 1;
  const calls = totals.tool_calls;
  return {
    ...totals,
    ok_samples: totals.ok_samples + errors,
    error_samples: 0,
    error_examples: 0,
    tasks: totals.tasks_without_errors,
    tool_calls:
      end === 'most'
        ? { ...calls, rejected: calls.rejected + errors * seen.rejected }
        : { ...calls, ok: calls.ok + errors * seen.attempted },
    rounds: totals.rounds + errors * seen.rounds[at],
    cost_nano: (BigInt(totals.cost_nano) + BigInt(errors) * BigInt(seen.cost_nano?.[at] ?? 0)).toString(),
    unpriced: totals.unpriced + (seen.cost_nano === null ? errors : 0),
  };
}

/** The extremes over both sides. */
export function joinedExtremes(a: SampleExtremes | null, b: SampleExtremes | null): SampleExtremes | null {
  if (a === null || b === null) return a ?? b;
  return {
    rounds: [Math.min(a.rounds[0], b.rounds[0]), Math.max(a.rounds[1], b.rounds[1])],
    cost_nano: joinedCosts(a.cost_nano, b.cost_nano),
    rejected: Math.max(a.rejected, b.rejected),
    attempted: Math.max(a.attempted, b.attempted),
  };
}

function joinedCosts(a: SampleExtremes['cost_nano'], b: SampleExtremes['cost_nano']): SampleExtremes['cost_nano'] {
  if (a === null || b === null) return a ?? b;
  const least = BigInt(a[0]) < BigInt(b[0]) ? a[0] : b[0];
  return [least, BigInt(a[1]) > BigInt(b[1]) ? a[1] : b[1]];
}
