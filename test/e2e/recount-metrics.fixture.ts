import { type Metrics, type OutcomeKind, type RawOutcome } from '@kiln/contracts';

const Z = 1.959963984540054;

/** The part of the metrics that a reader can recount by hand from the completions of one run. */
export type RecountedMetrics = Pick<
  Metrics,
  | 'num_examples'
  | 'num_completions'
  | 'counts'
  | 'accuracy'
  | 'graded_pass_rate'
  | 'mean_score'
  | 'weighted_mean_score'
  | 'latency_ms'
  | 'total_prompt_tokens'
  | 'total_cached_tokens'
  | 'total_completion_tokens'
>;

/**
 * Recounts a run whose completions reduce by their mean, from what the API answers and with none of the product's code:
 * an example passes when all its completions do.
 *
 * @param weightOf weight of an example by its id
 */
export function recountMetrics(outcomes: readonly RawOutcome[], weightOf: (id: string) => number): RecountedMetrics {
  const byExample = new Map<string, RawOutcome[]>();
  for (const outcome of outcomes) byExample.set(outcome.example_id, [...(byExample.get(outcome.example_id) ?? []), outcome]);
  const examples = [...byExample].map(([id, rows]) => ({ id, score: mean(rows.map((row) => row.score)) }));
  const counts: Record<OutcomeKind, number> = { pass: 0, fail: 0, invalid: 0, error: 0, skipped: 0 };
  for (const { score } of examples) counts[score === 1 ? 'pass' : 'fail'] += 1;
  const latencies = outcomes.map((row) => row.latency_ms).toSorted((a, b) => a - b);
  const quantile = (q: number): number => latencies[Math.round(q * (latencies.length - 1))]!;
  const total = (pick: (row: RawOutcome) => number): number => outcomes.reduce((sum, row) => sum + pick(row), 0);
  const weights = examples.reduce((sum, { id }) => sum + weightOf(id), 0);
  return {
    num_examples: examples.length,
    num_completions: outcomes.length,
    counts,
    accuracy: counts.pass / examples.length,
    graded_pass_rate: counts.pass / examples.length,
    mean_score: mean(examples.map((example) => example.score)),
    weighted_mean_score: examples.reduce((sum, { id, score }) => sum + weightOf(id) * score, 0) / weights,
    latency_ms: { mean: mean(latencies), p50: quantile(0.5), p90: quantile(0.9), p99: quantile(0.99), max: latencies.at(-1)! },
    total_prompt_tokens: total((row) => row.prompt_tokens),
    total_cached_tokens: total((row) => row.cached_tokens),
    total_completion_tokens: total((row) => row.completion_tokens),
  };
}

/** The 95 % Wilson interval of `passes` in `trials`. */
export function wilson(passes: number, trials: number): { lower: number; upper: number } {
  const p = passes / trials;
  const centre = p + (Z * Z) / (2 * trials);
  const half = Z * Math.sqrt((p * (1 - p)) / trials + (Z * Z) / (4 * trials * trials));
  const scale = 1 + (Z * Z) / trials;
  return { lower: (centre - half) / scale, upper: (centre + half) / scale };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
