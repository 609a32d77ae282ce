import { type OutcomeKind, parseWith, type Score, Scorer } from '@kiln/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileExecutedScorer } from './compile-executed-scorer.js';
import { compileScorer } from './compile-scorer.js';
import { combineAll, combineAny } from './composite.js';
import { scoringInput } from './score-answer.fixture.js';

/** A score as scorers give it: a pass need not be 1 (a judge's 0.5), an error is 0. */
const score: fc.Arbitrary<Score> = fc
  .record({
    kind: fc.constantFrom<OutcomeKind>('pass', 'fail', 'invalid', 'error', 'skipped'),
    value: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ kind, value }) => ({ kind, score: kind === 'pass' || kind === 'fail' ? value : 0, detail: null }));
const scores = fc.array(score, { maxLength: 6 });
const shuffled = scores.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
const combiners = fc.constantFrom(combineAll, combineAny);

const kindsOf = (list: readonly Score[]): OutcomeKind[] => list.map(({ kind }) => kind).filter((kind) => kind !== 'skipped');

describe('composites, whatever their children came to', () => {
  it('do not depend on the order of the children', () => {
    fc.assert(
      fc.property(combiners, shuffled, (combine, [list, other]) => {
        expect(combine(other).kind).toBe(combine(list).kind);
        expect(combine(other).score).toBeCloseTo(combine(list).score, 12);
      }),
    );
  });

  it('pass by their rule alone, and keep scores in [0, 1]', () => {
    fc.assert(
      fc.property(scores, (list) => {
        const kinds = kindsOf(list);
        expect(combineAll(list).kind === 'pass').toBe(kinds.length > 0 && kinds.every((kind) => kind === 'pass'));
        expect(combineAny(list).kind === 'pass').toBe(kinds.includes('pass'));
        for (const { score: value } of [combineAll(list), combineAny(list)]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('"all" is never more than "any"', () => {
    fc.assert(
      fc.property(scores, (list) => {
        const [all, any] = [combineAll(list), combineAny(list)];
        if (all.kind === 'pass') expect(any.kind).toBe('pass');
        if (any.kind !== 'error') expect(all.score).toBeLessThanOrEqual(any.score + 1e-12);
      }),
    );
  });

  it('an error of a child is one of the whole, unless "any" has passed without it', () => {
    fc.assert(
      fc.property(scores, (list) => {
        const kinds = kindsOf(list);
        expect(combineAll(list).kind === 'error').toBe(kinds.includes('error'));
        expect(combineAny(list).kind === 'error').toBe(kinds.includes('error') && !kinds.includes('pass'));
        for (const whole of [combineAll(list), combineAny(list)]) if (whole.kind === 'error') expect(whole.score).toBe(0);
      }),
    );
  });

  it('what is decided in spite of an error is decided whatever that child would have been', () => {
    fc.assert(
      fc.property(combiners, scores, (combine, list) => {
        const { kind } = combine(list);
        if (kind === 'error') return;
        const known = (as: OutcomeKind): Score[] => list.map((each) => (each.kind === 'error' ? { ...each, kind: as } : each));
        for (const as of ['pass', 'fail', 'invalid'] as const) expect(combine(known(as)).kind).toBe(kind);
      }),
    );
  });

  it('skipped children change nothing; nothing but skipped ones is skipped; none at all is invalid', () => {
    const skipped: Score = { kind: 'skipped', score: 0, detail: null };
    fc.assert(
      fc.property(combiners, fc.array(score, { minLength: 1, maxLength: 5 }), fc.nat(), (combine, list, at) => {
        const { kind, score: value } = combine(list);
        expect(combine(list.toSpliced(at % (list.length + 1), 0, skipped))).toMatchObject({ kind, score: value });
        expect(kind === 'skipped').toBe(kindsOf(list).length === 0);
        expect(combine([])).toEqual({ kind: 'invalid', score: 0, detail: { reason: 'no_scorers' } });
      }),
    );
  });

  it('of one child is that child', () => {
    fc.assert(
      fc.property(combiners, score, (combine, only) => {
        const { kind, score: value } = combine([only]);
        expect({ kind, value }).toEqual({ kind: only.kind, value: only.score });
      }),
    );
  });
});

describe('composites of scorers', () => {
  const leaf = fc.constantFrom<object>(
    { kind: 'exact_match' },
    { kind: 'contains', phrases: ['4', '2'], mode: 'all' },
    { kind: 'numeric_tolerance', integer_only: true },
    { kind: 'json_validity', required_paths: ['/a'] },
    { kind: 'multiple_choice' },
  );
  const { tree } = fc.letrec<{ tree: object }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.record({ kind: fc.constantFrom('all', 'any'), scorers: fc.array(tie('tree'), { maxLength: 3 }) }),
    ),
  }));
  const answers = fc.constantFrom('42', '4 and 2', '{"a": 42}', 'B', '', 'no idea');

  it('score inline as they do in a shard of their own', async () => {
    const ports = { askJudge: refuse, runConfined: refuse, randomToken: () => 'x' };
    await fc.assert(
      fc.asyncProperty(tree, answers, fc.boolean(), async (written, text, unclosedThinking) => {
        const scorer = parseWith(Scorer, written, 'scorer');
        const input = scoringInput(text, { target: '42', unclosedThinking });
        const executed = await compileExecutedScorer(scorer, ports)(input, new AbortController().signal);
        expect(executed).toEqual({ ...compileScorer(scorer)(input), raw_value: null, usage: null });
      }),
    );
  });
});

function refuse(): Promise<never> {
  return Promise.reject(new Error('nothing here asks or runs'));
}
