import { parseWith, Scorer } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { compileScorerCheck } from './compile-scorer-check.js';
import { scoreAnswer } from './score-answer.fixture.js';

const person = {
  kind: 'json_schema',
  schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } } },
};

describe('the JSON of an answer', () => {
  it.each([
    ['the whole text', '{"name":"Ann"}', 'pass'],
    ['with white space around', ' \n{"name":"Ann"}\u00a0', 'pass'],
    ['a fence', 'Sure:\n```json\n{"name":"Ann"}\n```\nDone {"name":1}', 'pass'],
    ['the first fence, not the second', '```json\n{"age":1}\n```\n```json\n{"name":"Ann"}\n```', 'fail'],
    ['a fence that is not JSON does not end the search', '```\nnot this\n```\n{"name":"Ann"}', 'pass'],
    ['fences inside a text stay (C42)', '{"name":"```json\\n1\\n```"}', 'pass'],
    ['prose around', 'It is {"name":"Ann"} as asked.', 'pass'],
    ['brackets in prose before', 'In the interval [0, 1) lies {"name":"Ann"}', 'pass'],
    ['braces in prose before', 'Use {name} so: {"name":"Ann"}', 'pass'],
    ['two documents: the first', '{"age":1} {"name":"Ann"}', 'fail'],
    ['a text of JSON is text', '"{\\"name\\":\\"Ann\\"}"', 'fail'],
    ['a list', '[{"name":"Ann"}]', 'fail'],
  ])('%s', (_, text, kind) => {
    expect(scoreAnswer(person, text).kind).toBe(kind);
  });

  it.each([
    ['I do not know.', 'no_json'],
    ['', 'no_json'],
    ['{"name": "Ann", "age": ', 'unclosed_json'],
    ["{'name': 'Ann'}", 'not_json'],
    ['{"name": "Ann",}', 'not_json'],
  ])('%j is invalid: %s', (text, reason) => {
    expect(scoreAnswer(person, text)).toEqual({ kind: 'invalid', score: 0, detail: { reason } });
  });

  it('is not searched for without end', () => {
    const started = performance.now();
    expect(scoreAnswer(person, 'x ' + '['.repeat(200_000)).detail).toEqual({ reason: 'unclosed_json' });
    expect(scoreAnswer(person, 'x ' + '[}'.repeat(200_000)).kind).toBe('invalid');
    expect(scoreAnswer(person, `${'{x} '.repeat(64)}{"name":"Ann"}`).detail).toEqual({ reason: 'not_json' });
    expect(scoreAnswer(person, `${'{x} '.repeat(63)}{"name":"Ann"}`).kind).toBe('pass');
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it('that is nested too deeply is invalid', () => {
    expect(scoreAnswer({ kind: 'json_schema', schema: true }, '['.repeat(100_000) + ']'.repeat(100_000))).toMatchObject({
      kind: 'invalid',
      detail: { reason: 'nested_too_deeply' },
    });
  });
});

it('says where the answer is wrong', () => {
  expect(scoreAnswer(person, '{"name":"Ann","age":-1}')).toEqual({
    kind: 'fail',
    score: 0,
    detail: { reason: 'not_valid', at: '/age', message: 'must be >= 0' },
  });
});

it('a value expression gives text to read or a value to validate', () => {
  const call = { role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: '{"name":"Ann"}' } }] };
  const toolCalls = call.tool_calls;
  const messages = [{ role: 'user' as const, content: 'q' }];
  const at = (value_expression: string) => scoreAnswer({ ...person, value_expression }, '', { messages, toolCalls }).kind;
  expect(at('trace[-1].tool_calls[0].function.arguments')).toBe('pass');
  expect(at('trace[-1].tool_calls[0].function')).toBe('pass');
  expect(at('trace[-1].tool_calls')).toBe('fail');
  expect(at('trace[-1].nothing')).toBe('fail');
});

it('a validation that would take too long is an error', () => {
  const branch = { type: 'object', properties: { x: { $ref: '#' } } };
  const answer = `${'{"x":'.repeat(60)}1${'}'.repeat(60)}`;
  expect(scoreAnswer({ kind: 'json_schema', schema: { anyOf: [branch, branch] } }, answer)).toMatchObject({
    kind: 'error',
    detail: { reason: 'validation_too_costly' },
  });
});

it('a bad schema is refused at registration, with its place', () => {
  const scorer = parseWith(Scorer, { kind: 'json_schema', schema: { properties: { a: { type: 'strin' } } } }, 'scorer');
  expect(() => compileScorerCheck(scorer, 'default_scorer')).toThrow(
    'default_scorer.schema: at /properties/a/type: must match a schema in anyOf',
  );
  expect(scoreAnswer(scorer, '{}').kind).toBe('error');
});

describe('integers that no 64-bit float holds', () => {
  const at = (schema: object, text: string) => scoreAnswer({ kind: 'json_schema', schema }, text).kind;
  const BIG = '9007199254740993';

  it.each<[object, string, string]>([
    [{ properties: { a: { const: 9007199254740992 } } }, `{"a":${BIG}}`, 'fail'],
    [{ properties: { a: { const: 9007199254740992 } } }, '{"a":9007199254740992.0}', 'pass'],
    [{ const: 9007199254740992 }, BIG, 'fail'],
    [{ enum: [[9007199254740992]] }, `[${BIG}]`, 'fail'],
    [{ items: { enum: [9007199254740992] } }, `[9007199254740992,${BIG}]`, 'fail'],
    [{ properties: { constructor: { const: 9007199254740992 } } }, `{"constructor":${BIG}}`, 'fail'],
    [{ const: { a: null } }, '{"a":1e400}', 'fail'],
    [{ uniqueItems: true }, `[9007199254740992,${BIG}]`, 'pass'],
    [{ uniqueItems: true }, `[${BIG},${BIG}.0]`, 'fail'],
    [{ items: { multipleOf: 2 } }, `[${BIG}]`, 'fail'],
    [{ items: { multipleOf: 3 } }, '[9007199254740993]', 'pass'],
    [{ $defs: { id: { const: 9007199254740992 } }, properties: { a: { $ref: '#/$defs/id' } } }, `{"a":${BIG}}`, 'fail'],
    // The rest sees the nearest float.
    [{ type: 'integer', minimum: 1 }, BIG, 'pass'],
    [{ type: 'integer', maximum: 1e300 }, '1e400', 'fail'],
    [{ type: 'number' }, '-1e400', 'pass'],
    [{ items: { type: 'string' } }, `[${BIG}]`, 'fail'],
    [{}, '1e9999', 'invalid'],
  ])('%j and %s: %s', (schema, text, kind) => {
    expect(at(schema, text)).toBe(kind);
  });
});
