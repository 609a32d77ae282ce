import { KilnError, parseWith, Scorer } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { compileScorerCheck } from './compile-scorer-check.js';
import { compileScorer } from './compile-scorer.js';
import { excerpt } from './excerpt.js';
import { isInlineScorer, scorerKindsServed } from './scorer-kinds.js';
import { scoreAnswer } from './score-answer.fixture.js';

const SERVED: Record<string, object> = {
  exact_match: { kind: 'exact_match' },
  contains: { kind: 'contains', phrases: ['1'] },
  regex: { kind: 'regex', pattern: '1' },
  numeric_tolerance: { kind: 'numeric_tolerance' },
  multiple_choice: { kind: 'multiple_choice', choices: ['1', '2'] },
  json_validity: { kind: 'json_validity' },
};

const scorer = (value: object): Scorer => parseWith(Scorer, value, 'scorer');

describe('compileScorer', () => {
  it('serves exactly the kinds it lists', () => {
    expect(Object.keys(SERVED)).toEqual([...scorerKindsServed]);
    for (const written of Object.values(SERVED))
      expect(scoreAnswer(written, '1', { target: '1' })).toMatchObject({ kind: 'pass', score: 1 });
  });

  it('makes an answer that never left its reasoning invalid, for every kind (C18)', () => {
    for (const written of Object.values(SERVED)) {
      expect(scoreAnswer(written, '1', { target: '1', unclosedThinking: true })).toEqual({
        kind: 'invalid',
        score: 0,
        detail: { reason: 'unclosed_thinking' },
      });
    }
  });

  it('refuses the kinds of the contract that are not served yet, naming those that are', () => {
    for (const written of [
      { kind: 'llm_judge', template: '{answer}' },
      { kind: 'tool_call' },
      { kind: 'all', scorers: [SERVED['regex']] },
    ]) {
      expect(() => compileScorer(scorer(written))).toThrow(KilnError);
      expect(() => compileScorer(scorer(written))).toThrow(/scorer\.kind: scorer "\w+" is not served/);
    }
  });

  it('does not change its input and gives equal results for equal input', () => {
    const score = compileScorer(scorer({ kind: 'regex', pattern: '(\\d+)', capture_group: 1 }));
    const input = Object.freeze({
      text: '7',
      rawText: '7',
      reasoningText: null,
      unclosedThinking: false,
      target: '7',
      aliases: Object.freeze([]),
      messages: Object.freeze([]),
      tools: null,
      toolCalls: null,
      reference: null,
    });
    expect(score(input)).toEqual(score(input));
  });
});

describe('isInlineScorer', () => {
  it('keeps judges and executed code out of the worker, also inside composites', () => {
    const judge = { kind: 'llm_judge', template: '{answer}' };
    expect(Object.values(SERVED).every((written) => isInlineScorer(scorer(written)))).toBe(true);
    expect(isInlineScorer(scorer(judge))).toBe(false);
    expect(isInlineScorer(scorer({ kind: 'python_doctest' }))).toBe(false);
    expect(isInlineScorer(scorer({ kind: 'any', scorers: [SERVED['regex']] }))).toBe(true);
    expect(isInlineScorer(scorer({ kind: 'any', scorers: [{ kind: 'all', scorers: [judge] }] }))).toBe(false);
  });
});

describe('compileScorerCheck', () => {
  const check = (written: object, target: string | null, aliases: string[] = []) =>
    compileScorerCheck(scorer(written), 'default_scorer')({ target, aliases, reference: null }, 'examples[3]');

  it('accepts what can be graded', () => {
    for (const written of Object.values(SERVED)) expect(() => check(written, '1')).not.toThrow();
    expect(() => check({ kind: 'json_validity' }, null)).not.toThrow();
    expect(() => check({ kind: 'regex', pattern: 'a' }, null)).not.toThrow();
    expect(() => check({ kind: 'exact_match' }, null, ['a'])).not.toThrow();
  });

  it.each([
    [{ kind: 'tool_call' }, '1', [], 'default_scorer.kind'],
    [{ kind: 'regex', pattern: '(' }, '1', [], 'default_scorer.pattern'],
    [{ kind: 'regex', pattern: 'a', capture_group: 1 }, '1', [], 'default_scorer.capture_group'],
    [{ kind: 'regex', pattern: '(a)', capture_group: 1 }, null, [], 'examples[3].target'],
    [{ kind: 'contains', phrases: [] }, null, [], 'default_scorer.phrases'],
    [{ kind: 'exact_match' }, null, [], 'examples[3].target'],
    [{ kind: 'numeric_tolerance' }, null, [], 'examples[3].target'],
    [{ kind: 'numeric_tolerance' }, '3-7', [], 'examples[3].target'],
    [{ kind: 'numeric_tolerance' }, '3', ['4', 'x'], 'examples[3].aliases[1]'],
    [{ kind: 'multiple_choice' }, 'E', [], 'examples[3].target'],
    [{ kind: 'json_validity' }, '{', [], 'examples[3].target'],
  ] as const)('%j with target %j, aliases %j: names %s and a fix', (written, target, aliases, path) => {
    let error: unknown;
    try {
      check(written, target, [...aliases]);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(KilnError);
    expect(error).toMatchObject({
      code: 'eval_invalid_request',
      path,
      message: expect.stringContaining(`${path}: `),
      hint: expect.stringMatching(/\w/),
    });
  });
});

describe('excerpt', () => {
  it('is short, whole and storable', () => {
    expect(excerpt('short')).toBe('short');
    const cut = excerpt('😀'.repeat(100));
    expect(cut.length).toBeLessThanOrEqual(121);
    expect(/\p{Surrogate}/u.test(cut)).toBe(false);
    expect(excerpt('a\u0000b\ud800c')).toBe('a\ufffdb\ufffdc');
  });
});
