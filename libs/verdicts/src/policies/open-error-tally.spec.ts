import { reduceWithErrorBounds, type ReducibleRow } from '@kiln/outcomes';
import { describe, expect, it } from 'vitest';
import { outcome } from '../verdict-inputs.fixture.js';
import { OpenErrorTally } from './open-error-tally.js';

const row = (completion_index: number, kind: 'pass' | 'error'): ReducibleRow => ({
  example_id: 'x',
  completion_index,
  kind,
  score: kind === 'pass' ? 1 : 0,
  tags: [],
  metadata: null,
});

describe('OpenErrorTally', () => {
  it('counts samples and examples of each side, of pairs only', () => {
    const tally = new OpenErrorTally();
    tally.add(outcome('pass'), outcome('error', 'error', 'pass'));
    tally.add(outcome('error'), outcome('error'));
    tally.add(outcome('error'), outcome('skipped'));
    tally.add(outcome('error'), null);
    tally.add(null, outcome('error'));
    expect(tally.errors).toEqual({ baseline: { samples: 1, examples: 1 }, candidate: { samples: 3, examples: 2 } });
  });

  it('leaves out an error that no reading sees', () => {
    const tally = new OpenErrorTally();
    const found = reduceWithErrorBounds({ kind: 'pass_at_k', k: 2 }, [row(0, 'pass'), row(1, 'error')]);
    tally.add(found, outcome('pass'));
    expect(tally.errors.baseline).toEqual({ samples: 0, examples: 0 });
  });
});
