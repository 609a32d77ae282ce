import { type Message, parseWith, Scorer } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { compileScorerCheck } from '../compile-scorer-check.js';
import { scoreAnswer } from '../score-answer.fixture.js';

const called = (name: string, values: unknown): object => ({
  type: 'function',
  function: { name, arguments: typeof values === 'string' ? values : JSON.stringify(values) },
});
const messages = [
  { role: 'system', content: 'Help.' },
  { role: 'user', content: 'Weather in Paris and Rome?' },
  { role: 'assistant', content: '', tool_calls: [called('get', { city: 'Paris' }), called('get', { city: 'Rome' })] },
  { role: 'tool', content: 'Sun.', tool_call_id: '1' },
  { role: 'user', content: 'Save it.' },
] as Message[];
const save =
  '<tool_call>\n<function=save>\n<parameter=path>\nout/a.txt\n</parameter>\n<parameter=tags>\n["a","b"]\n</parameter>\n</function>\n</tool_call>';

const check = (config: object, text = save, rest: object = {}) =>
  scoreAnswer({ kind: 'tool_call_check', ...config }, text, { messages, ...rest });
const tool = (tool_name: string, expected_args?: object) => ({ tool_name, ...(expected_args && { expected_args }) });

describe('tool_call_check', () => {
  it.each<[string, object, string]>([
    ['all', { expected_tools: [tool('get'), tool('save')] }, 'pass'],
    ['all: one call may satisfy several', { expected_tools: [tool('save'), tool('save', { path: { value: 'out/a.txt' } })] }, 'pass'],
    ['all: one is missing', { expected_tools: [tool('get'), tool('delete')] }, 'fail'],
    ['any', { match_mode: 'any', expected_tools: [tool('delete'), tool('get')] }, 'pass'],
    ['any: none', { match_mode: 'any', expected_tools: [tool('delete'), tool('GET')] }, 'fail'],
    ['ordered', { match_mode: 'ordered', expected_tools: [tool('get', { city: { value: 'Rome' } }), tool('save')] }, 'pass'],
    ['ordered: the other way round', { match_mode: 'ordered', expected_tools: [tool('save'), tool('get')] }, 'fail'],
    ['ordered: a call counts once', { match_mode: 'ordered', expected_tools: [tool('save'), tool('save')] }, 'fail'],
    ['never', { match_mode: 'never', expected_tools: [tool('delete')] }, 'pass'],
    ['never: called', { match_mode: 'never', expected_tools: [tool('delete'), tool('get')] }, 'fail'],
    ['never: called with other arguments', { match_mode: 'never', expected_tools: [tool('get', { city: { value: 'Oslo' } })] }, 'pass'],
    ['unexpected tools are ignored', { expected_tools: [tool('get')] }, 'pass'],
    ['unexpected tools fail', { on_unexpected_tools: 'fail', expected_tools: [tool('get')] }, 'fail'],
    ['all tools expected', { on_unexpected_tools: 'fail', expected_tools: [tool('get'), tool('save')] }, 'pass'],
    ['unexpected tools never fail never', { match_mode: 'never', on_unexpected_tools: 'fail', expected_tools: [tool('delete')] }, 'pass'],
  ])('%s', (_, config, kind) => {
    const result = check(config);
    expect([result.kind, result.score]).toEqual([kind, kind === 'pass' ? 1 : 0]);
  });

  it.each<[object, boolean]>([
    [{ value: 'out/a.txt' }, true],
    [{ value: 'OUT/a.txt' }, false],
    [{ value: 'a.txt', match_mode: 'contains' }, true],
    [{ value: '^out/.*\\.txt$', match_mode: 'regex' }, true],
    [{ value: '^a', match_mode: 'regex' }, false],
  ])('path as %j: %s', (expected, met) => {
    expect(check({ expected_tools: [tool('save', { path: expected })] }).kind).toBe(met ? 'pass' : 'fail');
  });

  it.each<[unknown, object, boolean]>([
    [5, { value: 5 }, true],
    [5, { value: 5.0 }, true],
    [5, { value: '5' }, false],
    [true, { value: 1 }, false],
    [null, { value: null }, true],
    [125, { value: 2, match_mode: 'contains' }, true],
    [[1, 12], { value: 1, match_mode: 'contains' }, true],
    [[1, 12], { value: 2, match_mode: 'contains' }, false],
    [{ a: 1, b: 2 }, { value: { b: 2 }, match_mode: 'contains' }, true],
    [{ a: 1 }, { value: 'a', match_mode: 'contains' }, true],
    [{ a: 1 }, { value: 'toString', match_mode: 'contains' }, false],
    [{ b: 2, a: 1 }, { value: { a: 1, b: 2 } }, true],
    [{ a: [1, 2] }, { value: '"a":\\[1,', match_mode: 'regex' }, true],
    [false, { value: '^false$', match_mode: 'regex' }, true],
  ])('the argument %j as %j: %s', (argument, expected, met) => {
    const result = check({ expected_tools: [tool('f', { x: expected })] }, '', { toolCalls: [called('f', { x: argument })] });
    expect(result.kind).toBe(met ? 'pass' : 'fail');
  });

  it('compares long integers as the suite holds them', () => {
    const toolCalls = [called('f', '{"id": 1234567890123456789}')];
    const expected = JSON.parse('{"value": 1234567890123456789}') as object;
    expect(check({ expected_tools: [tool('f', { id: expected })] }, '', { toolCalls }).kind).toBe('pass');
  });

  it('takes arguments that cannot be decoded as none', () => {
    const toolCalls = [called('f', '{"x": 1')];
    expect(check({ expected_tools: [tool('f')] }, '', { toolCalls }).kind).toBe('pass');
    expect(check({ expected_tools: [tool('f', { args: { value: '{"x": 1' } })] }, '', { toolCalls }).kind).toBe('fail');
  });

  it('has no inherited arguments', () => {
    const toolCalls = [called('f', {})];
    expect(
      check({ expected_tools: [tool('f', { constructor: { value: 'Object', match_mode: 'contains' } })] }, '', { toolCalls }).kind,
    ).toBe('fail');
  });

  it('skips without a trace, and fails without calls', () => {
    expect(check({ expected_tools: [tool('f')] }, '', { messages: [] })).toMatchObject({
      kind: 'skipped',
      detail: { reason: 'missing_trace' },
    });
    expect(check({ expected_tools: [tool('f')] }, 'No.')).toMatchObject({
      kind: 'fail',
      detail: { reason: 'tool_not_called', tool: 'f', calls: 2 },
    });
  });

  it.each<[object, string]>([
    [{ value: '(', match_mode: 'regex' }, 'scorer.expected_tools[0].expected_args.x.value: is not a pattern'],
    [{ value: 5, match_mode: 'regex' }, 'scorer.expected_tools[0].expected_args.x.value: must be text'],
  ])('registration refuses %j', (expected, message) => {
    const scorer = parseWith(Scorer, { kind: 'tool_call_check', expected_tools: [tool('f', { x: expected })] }, 'scorer');
    expect(() => compileScorerCheck(scorer, 'scorer')).toThrow(message);
  });
});

describe('step_count_check', () => {
  const count = (config: object, text = save, rest: object = {}) =>
    scoreAnswer({ kind: 'step_count_check', ...config }, text, { messages, ...rest });

  it.each<[string, number]>([
    ['tool_calls', 3],
    ['model_responses', 2],
    ['turns', 2],
  ])('counts %s: %i', (count_type, wanted) => {
    expect(count({ count_type, min_count: wanted, max_count: wanted })).toMatchObject({
      kind: 'pass',
      score: 1,
      detail: { count: wanted },
    });
    expect(count({ count_type, min_count: wanted + 1 })).toMatchObject({
      kind: 'fail',
      score: 0,
      detail: { reason: 'too_few', count: wanted },
    });
    expect(count({ count_type, max_count: wanted - 1 })).toMatchObject({
      kind: 'fail',
      score: 0,
      detail: { reason: 'too_many', count: wanted },
    });
  });

  it('skips without a trace', () => {
    expect(count({ count_type: 'turns', min_count: 0 }, '', { messages: [] })).toMatchObject({
      kind: 'skipped',
      detail: { reason: 'missing_trace' },
    });
  });
});
