import { type Aggregation, Metrics, type OutcomeKind } from '@kiln/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rows } from '../raw-rows.fixture.js';
import { type BoundedOutcome, reduceWithErrorBounds } from '../reduce-with-error-bounds.js';
import { MetricsAccumulator, type StoredTotals } from './metrics-accumulator.js';
import { type SampleUsage } from './sample-tally.js';

const stored: StoredTotals = { latency_ms: { mean: 1, p50: 1, p90: 1, p99: 1, max: 1 }, known_cost_usd: '0', priced_samples: 0 };
const usage: SampleUsage = { prompt_tokens: 10, cached_tokens: 2, completion_tokens: 3, reasoning_chars: null, unclosed_thinking: false };
const single: Aggregation = { kind: 'single' };

function outcome(kind: OutcomeKind, tags: string[] = [], score?: number): BoundedOutcome {
  const row = rows([kind, score ?? (kind === 'pass' ? 1 : 0)]).map((one) => ({ ...one, tags }));
  return reduceWithErrorBounds(single, row);
}

function metricsOf(kinds: readonly OutcomeKind[]): Metrics {
  const metrics = new MetricsAccumulator(kinds.length);
  for (const kind of kinds) metrics.add(outcome(kind), { weight: 1, scorerKind: 'exact_match' }, [usage]);
  return metrics.finish(stored);
}

describe('MetricsAccumulator', () => {
  it('gives both rates and what errors could make of them', () => {
    const metrics = metricsOf(['pass', 'pass', 'fail', 'invalid', 'error', 'error', 'skipped']);
    expect(metrics).toMatchObject({
      num_examples: 7,
      num_completions: 7,
      counts: { pass: 2, fail: 1, invalid: 1, error: 2, skipped: 1 },
      accuracy: 2 / 6,
      graded_pass_rate: 2 / 4,
      error_bounds: { accuracy_if_errors_fail: 2 / 6, accuracy_if_errors_pass: 4 / 6 },
      mean_score: 2 / 6,
      weighted_mean_score: 2 / 6,
    });
    expect(metrics.accuracy_confidence_interval?.confidence_level).toBe(0.95);
    expect(Metrics.parse(metrics)).toEqual(metrics);
  });

  it('has 95 % Wilson bounds over examples', () => {
    const metrics = metricsOf([...Array.from({ length: 38 }, () => 'pass' as const), 'fail', 'fail']);
    expect(metrics.accuracy_confidence_interval?.lower).toBeCloseTo(0.83496, 5);
    expect(metrics.accuracy_confidence_interval?.upper).toBeCloseTo(0.98618, 5);
  });

  it('is null where nothing can be said, never 0 of 0', () => {
    expect(metricsOf(['skipped'])).toMatchObject({
      accuracy: null,
      accuracy_confidence_interval: null,
      graded_pass_rate: null,
      error_bounds: null,
      mean_score: null,
      weighted_mean_score: 0,
    });
    expect(metricsOf(['error'])).toMatchObject({ accuracy: 0, graded_pass_rate: null });
    expect(Metrics.parse(metricsOf([]))).toMatchObject({ num_examples: 0, accuracy: null, priced_fraction: null });
  });

  it('weights scores only, leaves skipped weights out, and is 0 for weights of 0', () => {
    const metrics = new MetricsAccumulator(3);
    metrics.add(outcome('pass'), { weight: 3, scorerKind: 'x' }, []);
    metrics.add(outcome('fail', [], 0.2), { weight: 1, scorerKind: 'x' }, []);
    metrics.add(outcome('skipped'), { weight: 100, scorerKind: 'x' }, []);
    expect(metrics.finish(stored)).toMatchObject({ weighted_mean_score: 0.8, mean_score: 0.6, accuracy: 0.5 });
    const weightless = new MetricsAccumulator(1);
    weightless.add(outcome('pass'), { weight: 0, scorerKind: 'x' }, []);
    expect(weightless.finish(stored)).toMatchObject({ weighted_mean_score: 0, accuracy: 1 });
  });

  it('slices by tag, scorer and tool, each example once per name', () => {
    const metrics = new MetricsAccumulator(2);
    const tools = { target: ['get', 'get', 'put'], predicted: ['get'] };
    metrics.add(outcome('pass', ['b', 'a', 'a']), { weight: 1, scorerKind: 'tool_call', tools }, []);
    metrics.add(outcome('error', ['__proto__', 'a']), { weight: 1, scorerKind: 'regex' }, []);
    const result = metrics.finish(stored);
    expect(Object.keys(result.tag_breakdown)).toEqual(['__proto__', 'a', 'b']);
    expect(result.tag_breakdown['a']).toMatchObject({ num_examples: 2, accuracy: 0.5, graded_pass_rate: 1 });
    expect(Object.keys(result.by_scorer)).toEqual(['regex', 'tool_call']);
    expect(result.pass_rate_by_tool['get']).toMatchObject({ num_examples: 1, accuracy: 1 });
    expect(result.confusion_by_tool).toEqual({ get: { get: 1, '<none>': 1 }, put: { '<none>': 1 } });
  });

  it('slices by category, and leaves examples without one out', () => {
    const metrics = new MetricsAccumulator(3);
    metrics.add(outcome('pass'), { weight: 1, scorerKind: 'x', category: 'tool_heavy' }, []);
    metrics.add(outcome('fail'), { weight: 1, scorerKind: 'x', category: 'chat' }, []);
    metrics.add(outcome('pass'), { weight: 1, scorerKind: 'x', category: null }, []);
    const { by_category } = metrics.finish(stored);
    expect(Object.keys(by_category)).toEqual(['chat', 'tool_heavy']);
    expect(by_category['tool_heavy']).toMatchObject({ num_examples: 1, accuracy: 1 });
  });

  it('has a standard error that is 0 only where nothing varies, and clustered where examples say so', () => {
    const repeated = new MetricsAccumulator(21);
    for (const [index, kind] of (['pass', 'pass', 'fail', 'fail'] as const).entries()) {
      for (let copy = 0; copy < 5; copy++) repeated.add(outcome(kind), { weight: 1, scorerKind: 'x', cluster: `passage ${index}` }, []);
    }
    repeated.add(outcome('skipped'), { weight: 1, scorerKind: 'x', cluster: 'another' }, []);
    const metrics = repeated.finish(stored);
    expect(Metrics.parse(metrics)).toEqual(metrics);
    // The hand-checked four clusters of five; the detectable effect follows the clustered error.
    expect(metrics.accuracy_standard_error.plain).toBeCloseTo(0.1147, 4);
    expect(metrics.accuracy_standard_error.clustered).toMatchObject({ clusters: 4, cr0: 0.25, cr1: expect.closeTo(0.2887, 4) });
    expect(metrics.minimum_detectable_effect).toBeCloseTo(2.8015852181129697 * Math.SQRT2 * 0.28867513459481287, 12);
    expect(metricsOf(['pass', 'fail'])).toMatchObject({ accuracy_standard_error: { plain: expect.closeTo(0.5, 15), clustered: null } });
    expect(metricsOf(['pass', 'pass'])).toMatchObject({ accuracy_standard_error: { plain: 0 }, minimum_detectable_effect: null });
    expect(metricsOf(['pass'])).toMatchObject({ accuracy_standard_error: { plain: null }, minimum_detectable_effect: null });
  });

  it('weighs all alike where all weigh the same', () => {
    const scored = fc.tuple(fc.constantFrom<OutcomeKind>('pass', 'fail', 'invalid', 'error'), fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(fc.array(scored, { minLength: 1, maxLength: 30 }), (list) => {
        const metrics = new MetricsAccumulator(list.length);
        for (const [kind, score] of list) metrics.add(outcome(kind, [], score), { weight: 1, scorerKind: 'x' }, []);
        const { mean_score, weighted_mean_score } = metrics.finish(stored);
        expect(weighted_mean_score).toBe(mean_score);
      }),
    );
  });

  it('adds up raw outcomes, those of incomplete examples too', () => {
    const metrics = new MetricsAccumulator(4);
    const lengths = [10, 20, 30, 40];
    metrics.add(
      outcome('pass'),
      { weight: 1, scorerKind: 'x' },
      lengths.map((reasoning_chars) => ({ ...usage, reasoning_chars })),
    );
    metrics.addIncomplete([
      { ...usage, unclosed_thinking: true, tool_call_faults: { non_xml: true, missing_required: true, extra_unknown: false } },
    ]);
    expect(metrics.finish({ ...stored, known_cost_usd: '0.25', priced_samples: 4 })).toMatchObject({
      num_completions: 5,
      total_prompt_tokens: 50,
      total_cached_tokens: 10,
      total_completion_tokens: 15,
      reasoning: { num_with_thinking: 4, mean: 25, p50: 30, p90: 40, max: 40 },
      num_unclosed_thinking: 1,
      num_non_xml_tool_calls: 1,
      num_schema_missing_required: 1,
      num_schema_extra_unknown: 0,
      coverage: { complete_examples: 1, total_examples: 4, fraction: 0.25 },
      cost_usd: null,
      known_cost_usd: '0.25',
      priced_fraction: 0.8,
    });
  });

  it('is the same, bit for bit, after an interruption that changed the order', () => {
    const example = fc.record({
      kind: fc.constantFrom<OutcomeKind>('pass', 'fail', 'invalid', 'error', 'skipped'),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      weight: fc.double({ min: 0, max: 10, noNaN: true }),
      tags: fc.subarray(['a', 'b', 'c']),
      category: fc.constantFrom(null, 'chat', 'tool_heavy'),
      cluster: fc.constantFrom(null, 'p', 'q', 'r'),
    });
    const arrivals = fc
      .array(example, { maxLength: 40 })
      .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
    fc.assert(
      fc.property(arrivals, ([uninterrupted, resumed]) => {
        const [once, again] = [uninterrupted, resumed].map((list) => {
          const metrics = new MetricsAccumulator(list.length);
          for (const { kind, score, tags, ...example } of list) {
            metrics.add(outcome(kind, tags, score), { scorerKind: 'x', ...example }, [usage]);
          }
          return JSON.stringify(metrics.finish(stored));
        });
        expect(again).toBe(once);
      }),
    );
  });
});
