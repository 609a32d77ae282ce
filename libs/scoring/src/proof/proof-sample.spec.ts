import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProofSample } from './proof-sample.js';
import { prove, sampled } from './prove-suite.fixture.js';
import { StrideSample } from './stride-sample.js';

describe('StrideSample', () => {
  it('keeps evenly spaced items, the first among them, at least half of the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 500 }), (limit, count) => {
        const sample = new StrideSample<number>(limit, Infinity);
        for (let item = 0; item < count; item += 1) sample.add(item, 1);
        const kept = [...sample.items];
        expect(kept.length).toBeLessThanOrEqual(Math.max(limit, 1));
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(count, Math.ceil(limit / 2)));
        const stride = kept[1] ?? 1;
        expect(kept).toEqual(kept.map((_, index) => index * stride));
      }),
    );
  });

  it('keeps fewer of large ones, and one that is too large alone', () => {
    const sample = new StrideSample<number>(100, 1000);
    for (let item = 0; item < 100; item += 1) sample.add(item, 100);
    expect(sample.items.length).toBeLessThanOrEqual(10);
    const huge = new StrideSample<number>(100, 1000);
    huge.add(1, 5000);
    expect(huge.items).toEqual([1]);
  });
});

describe('ProofSample', () => {
  const exact = { kind: 'exact_match' };

  it('tries at most so many examples of one scorer, and says of how many', () => {
    const examples = Array.from({ length: 1000 }, (_, n) => ({ target: `answer ${n}` }));
    const proof = prove(exact, examples, 100);
    expect(proof.groups).toMatchObject([{ examples: 1000, scorer_identity: 'identity of exact_match', first_example_id: 'e0' }]);
    expect(proof).toMatchObject({ examples: 1000, examples_tried: 63 });
  });

  it('finds the few examples that have a target', () => {
    const examples = Array.from({ length: 1000 }, (_, n) => (n % 250 === 7 ? { target: '{"a":1}' } : {}));
    expect(prove({ kind: 'json_validity' }, examples, 100)).toMatchObject({ examples: 1000, examples_tried: 4 });
  });

  it('groups scorers by kind when every example has its own', () => {
    const sample = new ProofSample(10);
    for (let n = 0; n < 200; n += 1) {
      const scorer = n % 2 === 0 ? { kind: 'contains', phrases: [`word${n}`] } : { kind: 'regex', pattern: `^word${n}$` };
      sample.add(sampled(scorer, { target: `word${n}` }, `e${n}`));
    }
    const groups = sample.groups.map(({ kind, scorer, examples }) => [kind, scorer !== null, examples]);
    expect(groups).toHaveLength(26);
    expect(groups.slice(24)).toEqual([
      ['contains', false, 88],
      ['regex', false, 88],
    ]);
  });

  it('leaves answers out that are as long as a book', () => {
    expect(prove(exact, [{ target: 'x'.repeat(10_000) }, { target: 'y' }])).toMatchObject({ examples: 2, examples_tried: 1 });
  });

  it('says what compares nothing, and what has to be executed', () => {
    const { groups, false_accepts } = prove(exact, [
      { scorer: { kind: 'json_schema', schema: true } },
      { scorer: { kind: 'contains', phrases: ['x'], mode: 'none' }, target: 'y' },
      { scorer: { kind: 'json_validity' } },
      { scorer: { kind: 'bash', script: 'true' }, target: 'y' },
      { scorer: { kind: 'python_doctest' } },
    ]);
    expect(groups.map(({ scorer_kind, status, rows }) => [scorer_kind, status, rows.length])).toEqual([
      ['json_schema', 'nothing_to_compare', 0],
      ['contains', 'nothing_to_compare', 0],
      ['json_validity', 'nothing_to_compare', 0],
      ['bash', 'needs_execution', 0],
      ['python_doctest', 'needs_execution', 0],
    ]);
    for (const { reason } of groups) expect(reason).toBeTruthy();
    expect(false_accepts).toBe(0);
  });
});
