import { describe, expect, it } from 'vitest';
import { sample } from '../../verdict-inputs.fixture.js';
import { SideTally } from './side-tally.js';
import { joinedExtremes, withErrorsFilled } from './with-errors-filled.js';

const CALLS = { ok: 0, rejected: 0, failed: 0, denied: 0, cached: 0, suppressed: 0 };

function totalsOf(...examples: Parameters<SideTally['addExample']>[0][]) {
  const tally = new SideTally();
  for (const samples of examples) tally.addExample(samples);
  return tally.totals;
}

const measured = totalsOf(
  [sample('pass', { rounds: 2, cost: 10n, tool_calls: { ...CALLS, ok: 3, rejected: 2 } })],
  [sample('fail', { rounds: 5, cost: 4n, tool_calls: { ...CALLS, ok: 6, cached: 90 } }), sample('error', { completion_index: 1 })],
  [sample('error')],
);

describe('withErrorsFilled', () => {
  it('takes each error for a sample of the most that was seen', () => {
    expect(withErrorsFilled(measured, measured.extremes, 'most')).toMatchObject({
      ok_samples: 4,
      error_samples: 0,
      tasks: 3,
      rounds: 2 + 5 + 2 * 5,
      cost_nano: String(10 + 4 + 2 * 10),
      tool_calls: { ok: 9, rejected: 2 + 2 * 2 },
    });
  });

  it('or of the least, with the most calls that went well', () => {
    expect(withErrorsFilled(measured, measured.extremes, 'least')).toMatchObject({
      tasks: 3,
      rounds: 2 + 5 + 2 * 2,
      cost_nano: String(10 + 4 + 2 * 4),
      tool_calls: { ok: 9 + 2 * 6, rejected: 2 },
    });
  });

  it('leaves a side without errors, and one of which nothing was seen', () => {
    const whole = totalsOf([sample('pass')]);
    expect(withErrorsFilled(whole, measured.extremes, 'most')).toBe(whole);
    const lost = totalsOf([sample('error')]);
    expect(withErrorsFilled(lost, lost.extremes, 'most')).toBe(lost);
  });

  it('knows what an error reached that only its scoring made: no judge’s outage hides what a candidate cost', () => {
    const judgeless = totalsOf([sample('pass', { cost: 1n })], [sample('error', { rounds: 9, cost: 1000n })]);
    expect(judgeless).toMatchObject({ ok_samples: 1, rounds: 1, cost_nano: '1' });
    expect(withErrorsFilled(judgeless, judgeless.extremes, 'most')).toMatchObject({ rounds: 1 + 9, cost_nano: '1001' });
    expect(withErrorsFilled(judgeless, judgeless.extremes, 'least')).toMatchObject({ rounds: 1 + 1, cost_nano: '2' });
  });

  it('leaves a cost unknown where nothing was priced', () => {
    const unpriced = totalsOf([sample('pass', { cost: null })], [sample('error')]);
    expect(withErrorsFilled(unpriced, unpriced.extremes, 'least').unpriced).toBe(2);
  });
});

describe('joinedExtremes', () => {
  it('spans both sides, and is one side’s where the other has none', () => {
    const other = totalsOf([sample('pass', { rounds: 1, cost: 200n })]).extremes;
    expect(joinedExtremes(measured.extremes, other)).toEqual({ rounds: [1, 5], cost_nano: ['4', '200'], rejected: 2, attempted: 6 });
    expect(joinedExtremes(other, measured.extremes)).toEqual(joinedExtremes(measured.extremes, other));
    expect(joinedExtremes(null, other)).toBe(other);
    expect(joinedExtremes(other, null)).toBe(other);
  });
});
