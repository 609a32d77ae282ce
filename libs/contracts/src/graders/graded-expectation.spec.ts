import { describe, expect, it } from 'vitest';
import { parseWith } from '../errors/parse-with.js';
import { GradedExpectation } from './graded-expectation.js';

const read = (grader: object, expect: unknown) => parseWith(GradedExpectation, { grader, expect }, 'graded expectation');

describe('GradedExpectation', () => {
  it('fills the options of graders', () => {
    expect(read({ type: 'bash' }, { script: 'true' }).grader).toEqual({ type: 'bash', timeout_ms: 60_000 });
    expect(read({ type: 'judge' }, { claims: ['a'] }).grader).toEqual({ type: 'judge', provider: null, model: null, grader_reps: 2 });
    for (const [type, expected] of Object.entries({
      exact: { text: '' },
      contains: { strings: ['a'] },
      regex: { pattern: 'a', flags: 'gi' },
      json_schema: { schema: true },
    })) {
      expect(read({ type }, expected)).toEqual({ grader: { type }, expect: expected });
    }
  });

  it.each([
    [{ type: 'fuzzy' }, {}, 'grader.type: unknown grader type; known types: exact, contains, regex, json_schema, bash, judge'],
    [{ type: 'exact', timeout_ms: 5 }, { text: 'a' }, 'grader: unknown field "timeout_ms"'],
    [{ type: 'judge', timeout_ms: 5 }, { claims: ['a'] }, 'grader: unknown field "timeout_ms"'],
    [{ type: 'judge', provider: 'other' }, { claims: ['a'] }, 'grader.provider: must be one of "stub", "claude", "copilot"'],
    [{ type: 'judge', grader_reps: 11 }, { claims: ['a'] }, 'grader.grader_reps: must be at most 10'],
    [{ type: 'exact' }, {}, 'expect.text: is required'],
    [{ type: 'exact' }, { text: 'a', more: 1 }, 'expect: unknown field "more"'],
    [{ type: 'exact' }, 'a', 'expect: expected an object'],
    [{ type: 'contains' }, { strings: [] }, 'expect.strings: must have at least 1 item'],
    [{ type: 'contains' }, { strings: [''] }, 'expect.strings[0]: must have at least 1 character'],
    [{ type: 'regex' }, { pattern: 'a', flags: 'y' }, 'expect.flags: may hold i, m and s'],
    [{ type: 'json_schema' }, { schema: [] }, 'expect.schema: must be a JSON Schema'],
    [{ type: 'bash' }, { timeout: 1 }, 'expect.script: is required'],
    [{ type: 'judge' }, { claims: [] }, 'expect.claims: must have at least 1 item'],
  ])('refuses %o with %o', (grader, expected, message) => {
    expect(() => read(grader, expected)).toThrow(message);
  });
});
