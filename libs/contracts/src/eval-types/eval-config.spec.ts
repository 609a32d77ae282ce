import { describe, expect, it } from 'vitest';
import { parseWith } from '../errors/parse-with.js';
import { EvalConfig } from './eval-config.js';
import { declaredScore, scoreKey } from './output-score.js';

const read = (properties: object, rest: object = {}) => parseWith(EvalConfig, { properties, ...rest }, 'eval configuration');
const starred = { output_scores: [{ name: 'Overall Rating', type: 'five_star' }] };

/** contracts.md §4.3: one of each type, and what is filled in. */
const TYPES: [Record<string, unknown>, object][] = [
  [
    { type: 'exact_match', expected_value: 'a' },
    { value_expression: null, reference_key: null, case_sensitive: true },
  ],
  [
    { type: 'pattern_match', pattern: 'a' },
    { value_expression: null, mode: 'must_match' },
  ],
  [
    { type: 'contains', reference_key: 'a' },
    { value_expression: null, substring: null, case_sensitive: true, mode: 'must_contain' },
  ],
  [
    { type: 'set_check', expected_set: [], mode: 'equal' },
    { value_expression: null, reference_key: null },
  ],
  [
    { type: 'tool_call_check', expected_tools: [{ tool_name: 'f', expected_args: { a: { value: 1 } } }] },
    {
      expected_tools: [{ tool_name: 'f', expected_args: { a: { value: 1, match_mode: 'exact' } } }],
      match_mode: 'all',
      on_unexpected_tools: 'ignore',
    },
  ],
  [{ type: 'step_count_check', count_type: 'turns', max_count: 2 }, { min_count: null }],
  [
    { type: 'code_eval', code: 'def score():\n  return {}' },
    { reference_keys: [], timeout_seconds: 180, tool_allowlist: [] },
  ],
  [
    { type: 'llm_judge', model_name: 'm', model_provider: 'p', prompt_template: '{{ final_message }}' },
    { system_prompt: null, reference_keys: [], thinking_instruction: null, g_eval: false, judge_instructions: null },
  ],
];

describe('EvalConfig', () => {
  it.each(TYPES)('fills %o', (written, filled) => {
    expect(read(written)).toEqual({
      name: null,
      properties: { ...written, ...filled },
      output_scores: [{ name: 'score', type: 'pass_fail' }],
    });
  });

  it('lets stars be given by judges and code only', () => {
    for (const [written] of TYPES) {
      const act = () => read(written, starred);
      if (written['type'] === 'code_eval' || written['type'] === 'llm_judge') expect(act).not.toThrow();
      else expect(act).toThrow(/^output_scores\[0\]\.type: must not be five_star: \w+ writes 1 or 0/);
    }
    expect(() => read(TYPES[0]![0], { output_scores: [{ name: 'a', type: 'pass_fail_critical' }] })).not.toThrow();
  });

  it.each([
    [{ type: 'bleu' }, {}, 'properties.type: unknown eval type; known types: exact_match, pattern_match'],
    [{ type: 'exact_match' }, {}, 'properties: needs expected_value or reference_key'],
    [{ type: 'exact_match', expected_value: '', reference_key: 'b' }, {}, 'properties: has both expected_value and reference_key'],
    [{ type: 'exact_match', expected_value: 'a', strip: true }, {}, 'properties: unknown field "strip"'],
    [{ type: 'contains' }, {}, 'properties: needs substring or reference_key'],
    [{ type: 'contains', substring: '' }, {}, 'properties.substring: must have at least 1 character'],
    [{ type: 'contains', substring: 'a', mode: 'any' }, {}, 'properties.mode: must be one of "must_contain", "must_not_contain"'],
    [{ type: 'set_check', expected_set: [] }, {}, 'properties.mode: must be one of'],
    [{ type: 'set_check', mode: 'equal' }, {}, 'properties: needs expected_set or reference_key'],
    [{ type: 'tool_call_check', expected_tools: [] }, {}, 'properties.expected_tools: must have at least 1 item'],
    [{ type: 'code_eval', code: 'x = 1' }, {}, 'properties.code: must define score()'],
    [{ type: 'code_eval', code: '  def score(): pass' }, {}, 'properties.code: must define score()'],
    [{ type: 'code_eval', code: 'score = max', tool_allowlist: ['a'] }, {}, 'properties.tool_allowlist: tools inside code scorers'],
    [{ type: 'llm_judge', model_name: 'm', prompt_template: 'x' }, {}, 'properties.model_provider: is required'],
    [
      { type: 'llm_judge', model_name: 'm', model_provider: 'p', prompt_template: 'x', g_eval: true },
      {},
      'properties.g_eval: must be false: it weighs the probabilities',
    ],
    [TYPES[0]![0], { output_scores: [] }, 'output_scores: must have at least 1 item'],
    [TYPES[0]![0], { output_scores: [{ name: '--', type: 'pass_fail' }] }, 'output_scores[0].name: must have a letter or a digit'],
    [TYPES[0]![0], { output_scores: [{ name: 'a', type: 'custom' }] }, 'output_scores[0].type: must be one of five_star, pass_fail'],
    [
      TYPES[0]![0],
      {
        output_scores: [
          { name: 'A b', type: 'pass_fail' },
          { name: 'a-B', type: 'pass_fail' },
        ],
      },
      'output_scores[1].name: gives the key a_b a second time',
    ],
  ])('refuses %o with %o', (properties, rest, message) => {
    expect(() => read(properties, rest)).toThrow(message);
  });

  it('makes keys of names', () => {
    expect(['Overall Rating', ' Tone? ', 'a--b', 'Größe 2', 'snake_case', '__proto__'].map(scoreKey)).toEqual([
      'overall_rating',
      'tone',
      'a_b',
      'größe_2',
      'snake_case',
      'proto',
    ]);
    expect(declaredScore({ name: 'Is It Good', type: 'five_star' })).toEqual({ key: 'is_it_good', type: 'five_star' });
  });
});
