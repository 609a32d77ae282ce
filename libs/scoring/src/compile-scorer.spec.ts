import { type JsonValue, KilnError, parseWith, Scorer, ScorerKind } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { compileScorerCheck } from './compile-scorer-check.js';
import { compileScorer } from './compile-scorer.js';
import { excerpt } from './excerpt.js';
import { EXECUTED_SCORERS } from './executed-scorers.js';
import { INLINE_SCORERS } from './inline-scorers.js';
import { plainAnswer } from './plain-answer.js';
import { isExecuted, isInlineScorer } from './scorer-kinds.js';
import { scoreAnswer } from './score-answer.fixture.js';
import { type ScoringInput } from './scoring-input.js';

interface Sample {
  readonly scorer: object;
  readonly answer: string;
  readonly rest: Partial<ScoringInput>;
}

const sample = (scorer: object, answer = '1', rest: Partial<ScoringInput> = { target: '1' }): Sample => ({ scorer, answer, rest });
const call = '<tool_call>{"name": "f", "arguments": {}}</tool_call>';
const messages = [{ role: 'user' as const, content: 'Call f.' }];
const calls = [{ type: 'function', function: { name: 'f', arguments: '{}' } }];

/** A right answer for every kind that only reads the trace. */
const SAMPLES: { readonly [kind: string]: Sample } = {
  exact_match: sample({ kind: 'exact_match' }),
  contains: sample({ kind: 'contains', phrases: ['1'] }),
  regex: sample({ kind: 'regex', pattern: '1' }),
  pattern_match: sample({ kind: 'pattern_match', pattern: '^1$' }),
  numeric_tolerance: sample({ kind: 'numeric_tolerance' }),
  multiple_choice: sample({ kind: 'multiple_choice', choices: ['1', '2'] }),
  json_validity: sample({ kind: 'json_validity' }),
  json_schema: sample({ kind: 'json_schema', schema: { type: 'integer' } }),
  set_check: sample({ kind: 'set_check', mode: 'equal' }),
  tool_call: sample({ kind: 'tool_call' }, call, { target: call }),
  tool_call_check: sample({ kind: 'tool_call_check', expected_tools: [{ tool_name: 'f' }] }, '', { toolCalls: calls, messages }),
  step_count_check: sample({ kind: 'step_count_check', count_type: 'tool_calls', min_count: 1 }, '', { toolCalls: calls, messages }),
  code: sample({ kind: 'code', style: { kind: 'exact_block' } }, '```py\nx = 1\n```', { target: '```py\nx = 1\n```' }),
  all: sample({ kind: 'all', scorers: [{ kind: 'exact_match' }] }),
  any: sample({ kind: 'any', scorers: [{ kind: 'exact_match' }] }),
};

const inline = Object.keys(INLINE_SCORERS) as (keyof typeof INLINE_SCORERS)[];
const sampleOf = (kind: string): Sample => SAMPLES[kind] ?? expect.fail(`no sample for the kind ${kind}`);
const scorer = (value: object): Scorer => parseWith(Scorer, value, 'scorer');

describe('compileScorer', () => {
  it.each(inline)('passes a right answer: %s', (kind) => {
    const { scorer: written, answer, rest } = sampleOf(kind);
    expect(scoreAnswer(written, answer, rest)).toMatchObject({ kind: 'pass', score: 1 });
  });

  it.each(inline)('makes an answer that never left its reasoning invalid (C18): %s', (kind) => {
    const { scorer: written, answer, rest } = sampleOf(kind);
    const result = scoreAnswer(written, answer, { ...rest, unclosedThinking: true });
    if (!('readsUnclosedThinking' in INLINE_SCORERS[kind])) {
      expect(result).toEqual({ kind: 'invalid', score: 0, detail: { reason: 'unclosed_thinking' } });
    }
    if (kind === 'all' || kind === 'any') expect(result.kind).toBe('invalid');
  });

  it('refuses what asks a judge or runs code, inside of composites too', () => {
    expect(() => compileScorer(scorer({ kind: 'llm_judge', template: '{answer}' }))).toThrow('llm_judge is no inline scorer');
    expect(() => compileScorer(scorer({ kind: 'all', scorers: [{ kind: 'python_doctest' }] }))).toThrow(
      'python_doctest is no inline scorer',
    );
  });

  it('each kind stands in the one table that it belongs to', () => {
    expect([...inline, ...Object.keys(EXECUTED_SCORERS)].toSorted()).toEqual(ScorerKind.options.toSorted());
    for (const kind of inline) expect(isExecuted(scorer(sampleOf(kind).scorer)), kind).toBe(false);
  });

  it('does not change its input and gives equal results for equal input', () => {
    const score = compileScorer(scorer({ kind: 'regex', pattern: '(\\d+)', capture_group: 1 }));
    const input = Object.freeze(plainAnswer('7', { target: '7', aliases: Object.freeze([]), messages: Object.freeze([]) }));
    expect(score(input)).toEqual(score(input));
  });
});

describe('isInlineScorer', () => {
  it('keeps judges and executed code out of the worker, also inside composites', () => {
    const judge = { kind: 'llm_judge', template: '{answer}' };
    for (const kind of inline) expect(isInlineScorer(scorer(sampleOf(kind).scorer)), kind).toBe(true);
    expect(isInlineScorer(scorer(judge))).toBe(false);
    expect(isInlineScorer(scorer({ kind: 'python_doctest' }))).toBe(false);
    expect(isInlineScorer(scorer({ kind: 'any', scorers: [{ kind: 'regex', pattern: '1' }] }))).toBe(true);
    expect(isInlineScorer(scorer({ kind: 'any', scorers: [{ kind: 'all', scorers: [judge] }] }))).toBe(false);
  });
});

describe('compileScorerCheck', () => {
  const check = (written: object, target: string | null, aliases: string[] = []) =>
    compileScorerCheck(scorer(written), 'default_scorer')({ target, aliases, reference: null }, 'examples[3]');

  it('accepts what can be graded', () => {
    for (const kind of inline) expect(() => check(sampleOf(kind).scorer, sampleOf(kind).rest.target ?? null), kind).not.toThrow();
    expect(() => check({ kind: 'json_validity' }, null)).not.toThrow();
    expect(() => check({ kind: 'regex', pattern: 'a' }, null)).not.toThrow();
    expect(() => check({ kind: 'exact_match' }, null, ['a'])).not.toThrow();
    expect(() => check({ kind: 'exact_match', expected_value: '' }, null)).not.toThrow();
    expect(() => check({ kind: 'exact_match', reference_key: 'a', value_expression: 'trace[-1].content|trim' }, null)).not.toThrow();
    expect(() => check({ kind: 'contains', reference_key: 'a' }, null)).not.toThrow();
    expect(() => check({ kind: 'set_check', mode: 'equal', expected_set: [] }, null)).not.toThrow();
    expect(() => check({ kind: 'set_check', mode: 'superset', reference_key: 'a' }, null)).not.toThrow();
    expect(() => check({ kind: 'json_schema', schema: { maximum: 1e20, enum: [2 ** 53 - 1, 0.1] } }, null)).not.toThrow();
  });

  it.each([{ kind: 'exact_match' }, { kind: 'contains' }, { kind: 'set_check', mode: 'equal' }])(
    'refuses a rounded number of the reference: %j',
    (kind) => {
      const checkReference = compileScorerCheck(scorer({ ...kind, reference_key: 'ids' }), 'default_scorer');
      const withIds = (ids: JsonValue) => () =>
        checkReference({ target: null, aliases: [], reference: { ids, other: 1e20 } }, 'examples[3]');
      expect(withIds(['9007199254740993', 2 ** 53 - 1, 0.5])).not.toThrow();
      expect(withIds([1, { id: -(2 ** 53) }])).toThrow('examples[3].reference.ids[1].id: is -9007199254740992');
    },
  );

  it.each([
    [{ kind: 'all', scorers: [{ kind: 'regex', pattern: '(' }] }, '1', [], 'default_scorer.scorers[0].pattern'],
    [{ kind: 'regex', pattern: '(' }, '1', [], 'default_scorer.pattern'],
    [{ kind: 'regex', pattern: 'a', capture_group: 1 }, '1', [], 'default_scorer.capture_group'],
    [{ kind: 'regex', pattern: '(a)', capture_group: 1 }, null, [], 'examples[3].target'],
    [{ kind: 'contains', phrases: [] }, null, [], 'default_scorer.phrases'],
    [{ kind: 'exact_match' }, null, [], 'examples[3].target'],
    [{ kind: 'exact_match', value_expression: 'range(9)' }, '1', [], 'default_scorer.value_expression'],
    [{ kind: 'contains', phrases: ['a'], value_expression: 'answer' }, '1', [], 'default_scorer.value_expression'],
    [{ kind: 'pattern_match', pattern: '(?=a)' }, '1', [], 'default_scorer.pattern'],
    [{ kind: 'pattern_match', pattern: 'a', value_expression: '{{ trace }}' }, '1', [], 'default_scorer.value_expression'],
    [{ kind: 'set_check', mode: 'equal' }, null, [], 'examples[3].target'],
    [{ kind: 'set_check', mode: 'equal', value_expression: '{% if' }, '1', [], 'default_scorer.value_expression'],
    [{ kind: 'set_check', mode: 'superset', expected_set: [] }, '1', [], 'default_scorer.expected_set'],
    [{ kind: 'json_schema', schema: { properties: { id: { const: 2 ** 53 } } } }, '1', [], 'default_scorer.schema.properties.id.const'],
    [{ kind: 'json_schema', schema: { anyOf: [{ enum: [1, [1e20]] }] } }, '1', [], 'default_scorer.schema.anyOf[0].enum[1][0]'],
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
