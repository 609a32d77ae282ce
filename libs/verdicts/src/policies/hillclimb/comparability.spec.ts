import { type HillclimbSide } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { notComparable } from './comparability.js';
import { hillclimbWarnings } from './hillclimb-warnings.js';
import { SplitTallies } from './split-tallies.js';

const side: HillclimbSide = {
  run_index: 0,
  adapter: null,
  provider: 'onnx',
  project: 'p',
  workflow: 'grooming',
  suite_hash: 'sha256:suite',
  case_set_hash: 'sha256:cases',
  split_filter: null,
  cases: 20,
  reps: 1,
  definition_hashes: ['sha256:a'],
  errors: 0,
  mean_duration_ms: null,
  cost_usd: null,
  total_tokens: null,
};

describe('notComparable', () => {
  it('lets another definition on each side pass: that is the change under test', () => {
    expect(notComparable(side, { ...side, definition_hashes: ['sha256:b'] })).toBeNull();
  });

  it('makes no claim of hashes that are missing', () => {
    expect(notComparable(side, { ...side, definition_hashes: [] })).toBeNull();
  });

  it.each<[Partial<HillclimbSide>, string]>([
    [{ split_filter: 'test' }, 'different splits'],
    [{ case_set_hash: 'sha256:other' }, 'same examples'],
    [{ definition_hashes: ['sha256:a', 'sha256:b'] }, '2 definitions were observed'],
  ])('%j', (fields, reason) => {
    expect(notComparable(side, { ...side, ...fields })).toContain(reason);
    expect(notComparable({ ...side, ...fields }, side)).toContain(reason);
  });

  it('comes with the warning HASH on the side that changed', () => {
    const mixed = { ...side, definition_hashes: ['sha256:a', 'sha256:b'] };
    const warnings = hillclimbWarnings(new SplitTallies().finish(), side, mixed);
    expect(warnings.find(({ code }) => code === 'HASH')).toMatchObject({ side: 'candidate' });
  });
});
