import { type Aggregation } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { rows } from './raw-rows.fixture.js';
import { reduceExample } from './reduce-example.js';
import {
  CompletionCountError,
  CompletionIndicesError,
  InconsistentExampleMetadataError,
  InvalidDefinitionError,
  InvalidScoreError,
  ReducerError,
} from './reducer-error.js';
import { type ReducibleRow } from './reducers/reduction.js';

const pass2: Aggregation = { kind: 'pass_at_k', k: 2 };
const change = (list: ReducibleRow[], index: number, fields: Partial<ReducibleRow>): ReducibleRow[] =>
  list.map((row, position) => (position === index ? { ...row, ...fields } : row));

describe('requireReducible', () => {
  it.each<[string, Aggregation, ReducibleRow[], new (message: string) => ReducerError, string]>([
    ['an even majority', { kind: 'majority_at_k', k: 2 }, rows('pass', 'pass'), InvalidDefinitionError, 'invalid_definition'],
    ['k = 0', { kind: 'mean_at_k', k: 0 }, [], InvalidDefinitionError, 'invalid_definition'],
    ['k = 129', { kind: 'mean_at_k', k: 129 }, [], InvalidDefinitionError, 'invalid_definition'],
    [
      'an estimate from fewer than k',
      { kind: 'pass_at_k_estimate', k: 3, n: 2 },
      rows('pass', 'fail'),
      InvalidDefinitionError,
      'invalid_definition',
    ],
    ['an estimate from 129', { kind: 'pass_at_k_estimate', k: 3, n: 129 }, [], InvalidDefinitionError, 'invalid_definition'],
    ['k rows where n are due', { kind: 'pass_at_k_estimate', k: 2, n: 3 }, rows('pass', 'fail'), CompletionCountError, 'completion_count'],
    ['an unknown aggregation', { kind: 'median' } as never, rows('pass'), InvalidDefinitionError, 'invalid_definition'],
    ['a missing completion', pass2, rows('pass'), CompletionCountError, 'completion_count'],
    ['a completion too many', pass2, rows('pass', 'pass', 'pass'), CompletionCountError, 'completion_count'],
    ['no rows', pass2, [], CompletionCountError, 'completion_count'],
    ['single with n = 2, as a v1 suite could have', { kind: 'single' }, rows('pass', 'fail'), CompletionCountError, 'completion_count'],
    ['a duplicate index', pass2, change(rows('pass', 'fail'), 1, { completion_index: 0 }), CompletionIndicesError, 'completion_indices'],
    ['an index past K', pass2, change(rows('pass', 'fail'), 1, { completion_index: 2 }), CompletionIndicesError, 'completion_indices'],
    ['a NaN score', pass2, change(rows('pass', 'fail'), 1, { score: Number.NaN }), InvalidScoreError, 'invalid_score'],
    ['a score above 1', pass2, change(rows('pass', 'fail'), 0, { score: 1.01 }), InvalidScoreError, 'invalid_score'],
    ['a negative score, even skipped', pass2, change(rows('pass', 'skipped'), 1, { score: -0.1 }), InvalidScoreError, 'invalid_score'],
    ['other tags', pass2, change(rows('pass', 'fail'), 1, { tags: [] }), InconsistentExampleMetadataError, 'inconsistent_example_metadata'],
    [
      'other metadata',
      pass2,
      change(rows('pass', 'fail'), 1, { metadata: { a: 1 } }),
      InconsistentExampleMetadataError,
      'inconsistent_example_metadata',
    ],
    [
      'no metadata',
      pass2,
      change(rows('pass', 'fail'), 1, { metadata: null }),
      InconsistentExampleMetadataError,
      'inconsistent_example_metadata',
    ],
    [
      'another example',
      pass2,
      change(rows('pass', 'fail'), 1, { example_id: 'y' }),
      InconsistentExampleMetadataError,
      'inconsistent_example_metadata',
    ],
  ])('refuses %s', (_name, aggregation, list, type, code) => {
    const reduce = () => reduceExample(aggregation, list);
    expect(reduce).toThrow(type);
    expect(reduce).toThrow(expect.objectContaining({ code, name: type.name }));
  });

  it('sees another order of tags, and no other order of metadata keys', () => {
    const tagged = rows('pass', 'fail').map((row) => ({ ...row, tags: ['a', 'b'] }));
    expect(() => reduceExample(pass2, change(tagged, 1, { tags: ['b', 'a'] }))).toThrow(InconsistentExampleMetadataError);
    expect(reduceExample(pass2, change(rows('pass', 'fail'), 1, { metadata: { b: [2], a: 1 } })).kind).toBe('pass');
  });

  it('names the example and the field', () => {
    expect(() => reduceExample(pass2, rows('pass'))).toThrow('example "x" has 1 completions; pass_at_k needs exactly 2');
    expect(() => reduceExample(pass2, change(rows('pass', 'fail'), 1, { completion_index: 7 }))).toThrow('has no completion 1');
  });
});
