import { describe, expect, it } from 'vitest';
import { parseWith } from '../errors/parse-with.js';
import { RescoreRequest } from './rescore-request.js';

const parse = (entry: object, rest: object = {}) => parseWith(RescoreRequest, { scorers: [entry], ...rest }, 'request');

describe('RescoreRequest', () => {
  it('reads a scorer, an eval type, or a grader with what it expects', () => {
    expect(parse({ scorer: { kind: 'exact_match' } }).scorers[0]!.scorer).toMatchObject({ kind: 'exact_match', strip_whitespace: true });
    expect(parse({ eval_config: { properties: { type: 'contains', substring: 'a' } } }).scorers[0]!.eval_config).toBeDefined();
    expect(parse({ grader: { type: 'exact' }, expect: { text: 'a' } }).scorers[0]).toMatchObject({ expect: { text: 'a' } });
  });

  it.each([
    [{}, 'scorers[0]: send exactly one of "scorer", "eval_config" and "grader"'],
    [{ scorer: { kind: 'exact_match' }, grader: { type: 'exact' }, expect: { text: 'a' } }, 'send exactly one of'],
    [{ grader: { type: 'exact' } }, 'expect: goes with "grader"'],
    [{ scorer: { kind: 'exact_match' }, expect: { text: 'a' } }, 'expect: goes with "grader"'],
    [{ grader: { type: 'exact' }, expect: { strings: ['a'] } }, 'expect'],
    [{ scorer: { kind: 'bleu' } }, 'scorers[0].scorer.kind: unknown scorer kind "bleu"'],
    [{ name: ' ', scorer: { kind: 'exact_match' } }, 'scorers[0].name'],
  ])('refuses %j', (entry, message) => {
    expect(() => parse(entry)).toThrow(message);
  });

  it('has no seed, no generation and no reuse: nothing is generated', () => {
    expect(parse({ scorer: { kind: 'exact_match' } }, { seed: 1, reuse: 'never' })).not.toHaveProperty('seed');
  });
});
