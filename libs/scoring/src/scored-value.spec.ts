import { describe, expect, it } from 'vitest';
import { scoreAnswer } from './score-answer.fixture.js';
import { type ScoringInput } from './scoring-input.js';

const messages: ScoringInput['messages'] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'First?' },
  { role: 'assistant', content: 'One.' },
  { role: 'user', content: 'Capital of France?' },
];
const call = { type: 'function', function: { name: 'search', arguments: '{"q": 1}' } };

/** The text that an expression makes of an answer, told through exact_match. */
function equals(expression: string, expected: string, rest: Partial<ScoringInput> = {}) {
  return scoreAnswer({ kind: 'exact_match', value_expression: expression, expected_value: expected }, 'The answer: Paris.', {
    messages,
    ...rest,
  });
}

describe('value_expression', () => {
  it('sees the answer, the trace with it, the reference and the last question', () => {
    expect(equals('final_message', 'The answer: Paris.').kind).toBe('pass');
    expect(equals("final_message.split(': ')[1]|replace('.', '')", 'Paris').kind).toBe('pass');
    expect(equals('trace|length', '5').kind).toBe('pass');
    expect(equals('trace[-1].role ~ trace[-1].content', 'assistantThe answer: Paris.').kind).toBe('pass');
    expect(equals('trace[-1].tool_calls[0].function.name', 'search', { toolCalls: [call] }).kind).toBe('pass');
    const text = '<tool_call>{"name": "search", "arguments": {"q": "x", "n": [1]}}</tool_call>';
    expect(equals('trace[-1].tool_calls[0].function.arguments', '{"n":[1],"q":"x"}', { text }).kind).toBe('pass');
    expect(equals('(trace[-1].tool_calls[0].function.arguments|fromjson).n[0]', '1', { text }).kind).toBe('pass');
    expect(equals('trace|map(attribute="tool_calls")|select|list|length', '0').kind).toBe('pass');
    expect(equals('reference_data.answer', 'Paris', { reference: { answer: 'Paris' } }).kind).toBe('pass');
    expect(equals('task_input', 'Capital of France?').kind).toBe('pass');
  });

  it('compares what is not text as JSON', () => {
    expect(equals('final_message is string', 'true').kind).toBe('pass');
    expect(equals('[1, {"b": 2, "a": none}]', '[1,{"a":null,"b":2}]').kind).toBe('pass');
    const scorer = { kind: 'exact_match', value_expression: '{"a": [1]}', reference_key: 'wanted' };
    expect(scoreAnswer(scorer, '', { messages, reference: { wanted: { a: [1] } } }).kind).toBe('pass');
    expect(scoreAnswer(scorer, '', { messages, reference: { wanted: { a: [2] } } }).kind).toBe('fail');
  });

  it('fails an answer without such a value, in every mode', () => {
    expect(equals('trace[7].content', '')).toEqual({
      kind: 'fail',
      score: 0,
      detail: { reason: 'expression_unresolved', message: 'no such value' },
    });
    for (const scorer of [
      { kind: 'contains', phrases: ['x'], mode: 'none' },
      { kind: 'pattern_match', pattern: 'x', mode: 'must_not_match' },
      { kind: 'set_check', expected_set: [], mode: 'equal' },
    ]) {
      expect(scoreAnswer({ ...scorer, value_expression: 'final_message.missing' }, 'a').kind).toBe('fail');
    }
  });

  it('skips where the trace or the reference that it reads is missing', () => {
    expect(equals('trace[-1].content', '', { messages: [] })).toEqual({ kind: 'skipped', score: 0, detail: { reason: 'missing_trace' } });
    expect(equals('reference_data.a|default("x")', 'x')).toEqual({
      kind: 'skipped',
      score: 0,
      detail: { reason: 'missing_reference_key' },
    });
    expect(equals('final_message if final_message == "trace" else "reference_data"', 'reference_data', { messages: [] }).kind).toBe('pass');
  });

  it('is an error when it is wrong or costs too much', () => {
    expect(equals('range(9)', '').detail).toMatchObject({ reason: 'bad_expression' });
    const text = 'a'.repeat(100_000);
    const scorer = { kind: 'contains', phrases: ['x'], value_expression: 'final_message.replace("a", final_message)' };
    expect(scoreAnswer(scorer, text)).toMatchObject({ kind: 'error', detail: { reason: 'expression_too_costly' } });
  });
});
