import { describe, expect, it } from 'vitest';
import { parseWith } from '../errors/parse-with.js';
import { ScorerKind } from './scorer-kind.js';
import { MAX_SCORER_DEPTH, Scorer, childScorers } from './scorer.js';

/** The answer as it is, no expected value but the example's own. */
const plainText = { value_expression: null, reference_key: null };
const someJudge = { judge_model: null, judge_adapter: null, max_tokens: 1024, temperature: 0 };

/** contracts.md §1.7, §1.8, §4.3, §5.2: what is written, and the defaults that fill it. */
const defaults: [Record<string, unknown>, Record<string, unknown>][] = [
  [{ kind: 'exact_match' }, { ...plainText, case_sensitive: true, strip_whitespace: true, expected_value: null }],
  [{ kind: 'contains' }, { ...plainText, phrases: [], mode: 'any', case_sensitive: true }],
  [
    { kind: 'regex', pattern: '(\\d+)' },
    { capture_group: null, case_sensitive: true },
  ],
  [
    { kind: 'pattern_match', pattern: 'a' },
    { mode: 'must_match', case_sensitive: true, value_expression: null },
  ],
  [{ kind: 'json_validity' }, { require_object: false, required_paths: [] }],
  [{ kind: 'json_schema', schema: { type: 'object' } }, { value_expression: null }],
  [{ kind: 'multiple_choice' }, { choices: ['A', 'B', 'C', 'D'] }],
  [{ kind: 'numeric_tolerance' }, { atol: 0, rtol: 0, integer_only: false }],
  [
    { kind: 'set_check', mode: 'equal' },
    { ...plainText, expected_set: null },
  ],
  [
    { kind: 'tool_call' },
    {
      name_match: { kind: 'case_insensitive' },
      args: { kind: 'auto' },
      weights: { name: 0.4, structure: 0.3, content: 0.3 },
      require_xml_format: false,
    },
  ],
  [
    { kind: 'tool_call_check', expected_tools: [{ tool_name: 'search' }] },
    { expected_tools: [{ tool_name: 'search', expected_args: null }], match_mode: 'all', on_unexpected_tools: 'ignore' },
  ],
  [{ kind: 'step_count_check', count_type: 'turns', min_count: 1 }, { max_count: null }],
  [{ kind: 'code', style: { kind: 'any_block' } }, { language: null }],
  [{ kind: 'python_doctest' }, { timeout_seconds: 5 }],
  [
    { kind: 'code_eval', code: 'def score(): return {"score": 1}' },
    { scores: [{ key: 'score', type: 'pass_fail' }], reference_keys: [], timeout_seconds: 180, tool_allowlist: [] },
  ],
  [{ kind: 'bash', script: 'true' }, { timeout_ms: 60_000 }],
  [
    { kind: 'llm_judge', template: '{answer}' },
    { ...someJudge, system_prompt: null, score_regex: '(?i)score[:\\s]*([01](?:\\.\\d+)?)', grader_reps: 1 },
  ],
  [
    { kind: 'judge', claims: ['It is polite.'] },
    { ...someJudge, grader_reps: 2 },
  ],
  [{ kind: 'pairwise_judge' }, { ...someJudge, criteria: null, grader_reps: 1 }],
  [{ kind: 'all', scorers: [] }, {}],
  [{ kind: 'any', scorers: [] }, {}],
];

describe('Scorer', () => {
  it.each(defaults)('fills %o', (written, filled) => {
    expect(Scorer.parse(written)).toEqual({ ...written, ...filled });
  });

  it('knows every kind', () => {
    expect(new Set(defaults.map(([written]) => written['kind']))).toEqual(new Set(ScorerKind.options));
  });

  it('fills nested defaults', () => {
    expect(Scorer.parse({ kind: 'code', style: { kind: 'exact_block' } })).toMatchObject({ style: { strip_comments: false } });
    expect(Scorer.parse({ kind: 'code', style: { kind: 'token_similarity' } })).toMatchObject({ style: { min_jaccard: 0.6 } });
    expect(Scorer.parse({ kind: 'code', style: { kind: 'line_coverage' } })).toMatchObject({ style: { threshold: 0.7 } });
    const perKey = { kind: 'per_key', scorers: { city: { kind: 'any', scorers: [{ kind: 'exact_match' }] } } };
    const parsed = Scorer.parse({ kind: 'tool_call', args: perKey, weights: { name: 1 } });
    expect(parsed).toMatchObject({
      weights: { name: 1, structure: 0.3, content: 0.3 },
      args: { extra_key_penalty: 0, scorers: { city: { scorers: [{ strip_whitespace: true }] } } },
    });
    expect(childScorers(parsed)).toHaveLength(1);
  });

  it('gives each parse its own lists', () => {
    const lists = [0, 1].map(() => Scorer.parse({ kind: 'multiple_choice' }));
    expect(lists[0]).not.toBe(lists[1]);
    expect(lists[0]).toEqual(lists[1]);
  });

  it('drops unknown fields', () => {
    expect(Scorer.parse({ kind: 'python_doctest', shell: true })).toEqual({ kind: 'python_doctest', timeout_seconds: 5 });
  });

  it.each([
    [{ kind: 'bleu' }, 'kind: unknown scorer kind "bleu"; known kinds: exact_match, contains, regex'],
    [{}, 'kind: the scorer has no kind; known kinds: exact_match'],
    [{ kind: 'contains', phrases: [''] }, 'phrases[0]: must not be empty: every text contains it'],
    [{ kind: 'contains', phrases: ['a'], mode: 'some' }, 'mode: must be one of "any", "all", "none"'],
    [{ kind: 'contains', phrases: 'a' }, 'phrases: expected an array'],
    [{ kind: 'exact_match', expected_value: 'a', reference_key: 'b' }, 'reference_key: leave it out, or leave out expected_value'],
    [{ kind: 'exact_match', expected_value: 7 }, 'expected_value: expected a string'],
    [{ kind: 'exact_match', expected_value: 'a\0' }, 'expected_value: contains the NUL character'],
    [{ kind: 'exact_match', value_expression: '' }, 'value_expression: must have at least 1 character'],
    [{ kind: 'exact_match', value_expression: 'a'.repeat(4097) }, 'value_expression: must have at most 4096 characters'],
    [{ kind: 'contains', reference_key: '' }, 'reference_key: must have at least 1 character'],
    [{ kind: 'pattern_match' }, 'pattern: is required'],
    [{ kind: 'pattern_match', pattern: '' }, 'pattern: must have at least 1 character'],
    [{ kind: 'pattern_match', pattern: 'a', mode: 'never' }, 'mode: must be one of "must_match", "must_not_match"'],
    [{ kind: 'set_check' }, 'mode: must be one of "subset", "superset", "equal", got nothing'],
    [{ kind: 'set_check', mode: 'disjoint' }, 'mode: must be one of "subset", "superset", "equal"'],
    [{ kind: 'set_check', mode: 'equal', expected_set: ['a', 1] }, 'expected_set[1]: expected a string'],
    [{ kind: 'set_check', mode: 'equal', expected_set: [], reference_key: 'a' }, 'reference_key: leave it out, or leave out expected_set'],
    [{ kind: 'json_schema' }, 'schema: is required'],
    [{ kind: 'json_schema', schema: 'string' }, 'schema: must be a JSON Schema: an object, true or false'],
    [{ kind: 'json_schema', schema: [] }, 'schema: must be a JSON Schema'],
    [{ kind: 'tool_call_check', expected_tools: [] }, 'expected_tools: must have at least 1 item'],
    [{ kind: 'tool_call_check', expected_tools: [{ tool_name: '' }] }, 'expected_tools[0].tool_name: must have at least 1 character'],
    [
      { kind: 'tool_call_check', expected_tools: [{ tool_name: 'f', expected_args: { a: { value: 1, match_mode: 'close' } } }] },
      'expected_tools[0].expected_args.a.match_mode: must be one of "exact", "contains", "regex"',
    ],
    [
      { kind: 'tool_call_check', expected_tools: [{ tool_name: 'f', expected_args: { a: {} } }] },
      'expected_tools[0].expected_args.a.value: is required',
    ],
    [
      { kind: 'tool_call_check', expected_tools: [{ tool_name: 'f', expected_args: JSON.parse('{"__proto__":{"value":1}}') as object }] },
      'expected_tools[0].expected_args: has the key "__proto__"',
    ],
    [
      { kind: 'tool_call', args: { kind: 'per_key', scorers: JSON.parse('{"__proto__":{"kind":"exact_match"}}') as object } },
      'args.scorers: has the key "__proto__"',
    ],
    [{ kind: 'step_count_check', count_type: 'turns' }, 'scorer: needs min_count or max_count'],
    [
      { kind: 'step_count_check', count_type: 'words', min_count: 1 },
      'count_type: must be one of "tool_calls", "model_responses", "turns"',
    ],
    [{ kind: 'step_count_check', count_type: 'turns', min_count: 3, max_count: 2 }, 'max_count: must be at least min_count, 3'],
    [{ kind: 'step_count_check', count_type: 'turns', min_count: 0.5 }, 'min_count: '],
    [{ kind: 'code_eval', code: '' }, 'code: must have at least 1 character'],
    [{ kind: 'code_eval', code: 'def scores(): ...' }, 'code: must define score()'],
    [{ kind: 'code_eval', code: 'é'.repeat(32_769) }, 'code: must have at most 65536 bytes'],
    [{ kind: 'code_eval', code: 'def score(): ...', scores: [] }, 'scores: must have at least 1 item'],
    [{ kind: 'code_eval', code: 'def score(): ...', scores: [{ key: 'a', type: 'custom' }] }, 'scores[0].type: must be one of'],
    [
      {
        kind: 'code_eval',
        code: 'def score(): ...',
        scores: [
          { key: 'a', type: 'pass_fail' },
          { key: 'a', type: 'five_star' },
        ],
      },
      'scores: has a key twice',
    ],
    [{ kind: 'code_eval', code: 'def score(): ...', timeout_seconds: 301 }, 'timeout_seconds: must be at most 300'],
    [
      { kind: 'code_eval', code: 'def score(): ...', tool_allowlist: ['search'] },
      'tool_allowlist: tools inside code scorers are not served',
    ],
    [{ kind: 'bash' }, 'script: is required'],
    [{ kind: 'bash', script: 'true', timeout_ms: 0 }, 'timeout_ms: must be at least 1'],
    [{ kind: 'llm_judge' }, 'template: is required'],
    [{ kind: 'llm_judge', template: 'x', grader_reps: 11 }, 'grader_reps: must be at most 10'],
    [{ kind: 'llm_judge', template: 'x', judge_model: ' ' }, 'judge_model: must not be blank'],
    [{ kind: 'llm_judge', template: 'x', temperature: 2.5 }, 'temperature: must be at most 2'],
    [{ kind: 'judge', claims: [] }, 'claims: must have at least 1 item'],
    [{ kind: 'judge', claims: ['a', ' '] }, 'claims[1]: must not be blank'],
    [{ kind: 'judge', claims: ['a'], grader_reps: 0 }, 'grader_reps: must be at least 1'],
    [{ kind: 'pairwise_judge', criteria: '' }, 'criteria: must not be blank'],
    [{ kind: 'regex' }, 'pattern: is required'],
    [{ kind: 'regex', pattern: '' }, 'pattern: must have at least 1 character'],
    [{ kind: 'regex', pattern: 'a', capture_group: -1 }, 'capture_group: must be at least 0'],
    [{ kind: 'regex', pattern: 'a', capture_group: true }, 'capture_group: must be the number (0 = whole match) or the name'],
    [{ kind: 'json_validity', required_paths: ['a'] }, 'required_paths[0]: must be a JSON Pointer'],
    [{ kind: 'json_validity', required_paths: ['/a~2'] }, 'required_paths[0]: must be a JSON Pointer'],
    [{ kind: 'multiple_choice', choices: [] }, 'choices: must have at least 1 item'],
    [{ kind: 'multiple_choice', choices: ['a', 'A'] }, 'choices: has a label twice'],
    [{ kind: 'numeric_tolerance', atol: -1 }, 'atol: must be at least 0'],
    [{ kind: 'numeric_tolerance', rtol: Infinity }, 'rtol: must be a finite number'],
    [{ kind: 'python_doctest', timeout_seconds: 0.05 }, 'timeout_seconds: must be at least 0.1'],
    [{ kind: 'tool_call', weights: { name: 0, structure: 0, content: 0 } }, 'weights: must not all be 0'],
    [{ kind: 'tool_call', args: { kind: 'per_key', scorers: { a: { kind: 'x' } } } }, 'args.scorers.a.kind: unknown scorer kind "x"'],
    [{ kind: 'all', scorers: [{ kind: 'any', scorers: [{ kind: 'x' }] }] }, 'scorers[0].scorers[0].kind: unknown scorer kind "x"'],
  ])('refuses %o', (written, message) => {
    expect(() => parseWith(Scorer, written, 'scorer')).toThrow(message);
  });

  it('takes a phrase beside a phrase of the reference, and code up to its last byte', () => {
    expect(Scorer.parse({ kind: 'contains', phrases: ['a'], reference_key: 'b' })).toMatchObject({ phrases: ['a'], reference_key: 'b' });
    const code = `def score(): ... #${'é'.repeat(32_759)}`;
    expect(new TextEncoder().encode(code)).toHaveLength(65_536);
    expect(Scorer.parse({ kind: 'code_eval', code })).toMatchObject({ timeout_seconds: 180 });
    expect(Scorer.parse({ kind: 'json_schema', schema: true })).toMatchObject({ schema: true });
  });

  it('takes the pointers that RFC 6901 allows', () => {
    const required_paths = ['', '/', '/a/0', '/a~1b', '/m~0n'];
    expect(Scorer.parse({ kind: 'json_validity', required_paths })).toMatchObject({ required_paths });
  });

  it('bounds nesting, however deep', () => {
    const nested = (depth: number): unknown => {
      let scorer: unknown = { kind: 'exact_match' };
      for (let level = 0; level < depth; level += 1) scorer = { kind: 'all', scorers: [scorer] };
      return scorer;
    };
    expect(Scorer.safeParse(nested(MAX_SCORER_DEPTH)).success).toBe(true);
    expect(() => parseWith(Scorer, nested(MAX_SCORER_DEPTH + 1), 'scorer')).toThrow('nests scorers more than 16 deep');
    expect(() => parseWith(Scorer, nested(100_000), 'scorer')).toThrow(/nest/);
  });
});
