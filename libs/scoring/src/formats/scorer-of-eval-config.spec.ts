import { EvalConfig, parseWith, Scorer } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { scoreAnswer } from '../score-answer.fixture.js';
import { scorerOfEvalConfig } from './scorer-of-eval-config.js';

const scorerOf = (properties: object, rest: object = {}) =>
  scorerOfEvalConfig(parseWith(EvalConfig, { properties, ...rest }, 'eval configuration'));
const judge = (rest: object) => ({
  type: 'llm_judge',
  model_name: 'big',
  model_provider: 'local',
  prompt_template: '{{ final_message }}',
  ...rest,
});

describe('scorerOfEvalConfig', () => {
  it.each([
    [
      { type: 'exact_match', expected_value: 'a', value_expression: 'trace[-1].content', case_sensitive: false },
      { kind: 'exact_match', expected_value: 'a', value_expression: 'trace[-1].content', case_sensitive: false, strip_whitespace: false },
    ],
    [
      { type: 'exact_match', reference_key: 'k' },
      { kind: 'exact_match', reference_key: 'k', strip_whitespace: false },
    ],
    [
      { type: 'pattern_match', pattern: 'a', mode: 'must_not_match' },
      { kind: 'pattern_match', pattern: 'a', mode: 'must_not_match' },
    ],
    [
      { type: 'contains', substring: 'a', case_sensitive: false },
      { kind: 'contains', phrases: ['a'], mode: 'any', case_sensitive: false },
    ],
    [
      { type: 'contains', reference_key: 'k', mode: 'must_not_contain' },
      { kind: 'contains', reference_key: 'k', mode: 'none' },
    ],
    [
      { type: 'set_check', expected_set: ['a'], mode: 'subset' },
      { kind: 'set_check', expected_set: ['a'], mode: 'subset' },
    ],
    [
      { type: 'tool_call_check', expected_tools: [{ tool_name: 'f' }], match_mode: 'never' },
      { kind: 'tool_call_check', expected_tools: [{ tool_name: 'f' }], match_mode: 'never' },
    ],
    [
      { type: 'step_count_check', count_type: 'turns', max_count: 2 },
      { kind: 'step_count_check', count_type: 'turns', max_count: 2 },
    ],
  ])('maps %o', (properties, scorer) => {
    expect(scorerOf(properties)).toEqual(Scorer.parse(scorer));
  });

  it('gives code its declared scores under their keys', () => {
    const output_scores = [
      { name: 'Tone', type: 'five_star' },
      { name: 'Is Safe', type: 'pass_fail_critical' },
    ];
    expect(scorerOf({ type: 'code_eval', code: 'def score(): ...', timeout_seconds: 9, reference_keys: ['a'] }, { output_scores })).toEqual(
      Scorer.parse({
        kind: 'code_eval',
        code: 'def score(): ...',
        timeout_seconds: 9,
        reference_keys: ['a'],
        scores: [
          { key: 'tone', type: 'five_star' },
          { key: 'is_safe', type: 'pass_fail_critical' },
        ],
      }),
    );
  });

  it('does not trim, unlike our own exact_match', () => {
    const scorer = scorerOf({ type: 'exact_match', expected_value: 'Paris' });
    expect(scoreAnswer(scorer, 'Paris').kind).toBe('pass');
    expect(scoreAnswer(scorer, 'Paris\n').kind).toBe('fail');
  });

  it('refuses bounds that exclude each other, where they stand', () => {
    expect(() => scorerOf({ type: 'step_count_check', count_type: 'turns', min_count: 2, max_count: 1 })).toThrow(
      'eval_config.properties.max_count: must be at least min_count, 2',
    );
    expect(() => scorerOf({ type: 'step_count_check', count_type: 'turns' })).toThrow(
      'eval_config.properties: needs min_count or max_count',
    );
  });

  describe('llm_judge', () => {
    it('shows question, target and answer where the template prints them', () => {
      const template = 'Q: {{task_input}} {json} A: {{- final_message -}} R: {{ reference_data["reference_answer"] }}';
      expect(scorerOf(judge({ prompt_template: template, reference_keys: ['reference_answer'] }))).toEqual(
        Scorer.parse({
          kind: 'llm_judge',
          judge_model: 'big',
          template:
            'Q: {question} { json } A: {answer} R: {target}\n\n' +
            'Judge "score". End your reply with one line: "Score: 1" if it passes, "Score: 0" if it fails.',
        }),
      );
    });

    it('puts instructions where the template wants them, else behind it; thinking goes to the system prompt', () => {
      const judge_instructions = ['Be {strict}.', 'Be fair.'];
      const placed = scorerOf(judge({ prompt_template: '{{ judge_instructions }}\n{{ final_message }}', judge_instructions }));
      expect(placed).toMatchObject({ template: expect.stringMatching(/^1\. Be \{ strict \}\.\n2\. Be fair\.\n\{answer\}\n\nJudge/) });
      const behind = scorerOf(judge({ judge_instructions, system_prompt: 'Grade.', thinking_instruction: 'Think.' }));
      expect(behind).toMatchObject({
        template: expect.stringMatching(/^\{answer\}\n\n1\. Be \{ strict \}\.\n2\. Be fair\.\n\nJudge/),
        system_prompt: 'Grade.\n\nThink.',
      });
    });

    it('asks for each rating on the scale from 0 to 1', () => {
      const output_scores = (type: string) => ({ output_scores: [{ name: 'Tone', type }] });
      expect(scorerOf(judge({}), output_scores('five_star'))).toMatchObject({
        template: expect.stringContaining('"Score: 0.75" for four'),
      });
      expect(scorerOf(judge({}), output_scores('pass_fail_critical'))).toMatchObject({
        template: expect.stringContaining('"Score: 0" if it fails critically'),
      });
    });

    it.each([
      [{ prompt_template: '{% if trace %}{{ final_message }}{% endif %}' }, {}, 'eval_config.properties.prompt_template: has statements'],
      [{ prompt_template: '{{ trace }}' }, {}, 'eval_config.properties.prompt_template: prints {{ trace }}, which judges are not shown'],
      [{ prompt_template: '{{ final_message|upper }}' }, {}, 'prints {{ final_message|upper }}'],
      [{ reference_keys: ['reference_answer', 'notes'] }, {}, 'eval_config.properties.reference_keys[1]: is not shown to judges'],
      [
        {},
        {
          output_scores: [
            { name: 'a', type: 'pass_fail' },
            { name: 'b', type: 'pass_fail' },
          ],
        },
        'eval_config.output_scores: must be one score',
      ],
    ])('refuses %o with %o', (properties, rest, message) => {
      expect(() => scorerOf(judge(properties), rest)).toThrow(message);
    });
  });
});
