import { describe, expect, it } from 'vitest';
import { kindOf, scoreAnswer } from './score-answer.fixture.js';

const VALID = { kind: 'json_validity' };

describe('json_validity', () => {
  it('accepts any JSON, and objects only when the suite asks for them', () => {
    expect(kindOf(VALID, '[1]')).toBe('pass');
    expect(kindOf(VALID, '1')).toBe('pass');
    expect(kindOf({ ...VALID, require_object: true }, 'It is {"a":1}.')).toBe('pass');
    for (const other of ['[1]', '1', 'null']) expect(kindOf({ ...VALID, require_object: true }, other)).toBe('fail');
  });

  it('is invalid without JSON and says why', () => {
    expect(scoreAnswer(VALID, '{"a":')).toEqual({ kind: 'invalid', score: 0, detail: { reason: 'unclosed_json' } });
    expect(kindOf(VALID, '')).toBe('invalid');
  });

  it('requires every path; a null member exists', () => {
    const scorer = { ...VALID, required_paths: ['/call/name', '/call/args'] };
    expect(kindOf(scorer, '{"call":{"name":"x","args":null}}')).toBe('pass');
    expect(scoreAnswer(scorer, '{"call":{"name":"x"}}')).toEqual({
      kind: 'fail',
      score: 0,
      detail: { reason: 'path_missing', path: '/call/args' },
    });
  });

  it('compares with target and aliases', () => {
    expect(kindOf(VALID, '{"b":2,"a":1}', '{"a":1,"b":2}')).toBe('pass');
    expect(kindOf(VALID, '{"b":2}', '{"a":1,"b":2}')).toBe('fail');
    expect(kindOf(VALID, '{"b":2}', '{"a":1,"b":2}', ['{"b":2}'])).toBe('pass');
    expect(scoreAnswer(VALID, '{"b":2}', { target: 'none' })).toEqual({ kind: 'invalid', score: 0, detail: { reason: 'target_not_json' } });
  });
});
