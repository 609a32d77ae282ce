import { describe, expect, it } from 'vitest';
import { parseWith } from '../errors/parse-with.js';
import { RunRequest, targetOfRun } from './run-request.js';

const inline_suite = {
  name: 'probe',
  schema_version: 2,
  default_scorer: { kind: 'exact_match' },
  examples: [{ messages: [{ role: 'user', content: '1+1?' }], target: '2' }],
};

describe('RunRequest', () => {
  it('reads a short request', () => {
    expect(RunRequest.parse({ suite: 's', seed: '42', unknown: 1 })).toEqual({ suite: 's', seed: 42n, reuse: 'auto' });
  });

  it('reads an inline suite', () => {
    expect(RunRequest.parse({ inline_suite }).inline_suite?.examples).toHaveLength(1);
  });

  it('keeps labels as text, whatever they were written as', () => {
    const labels = { git_sha: '4f0c', step: 1200, nightly: true };
    expect(RunRequest.parse({ suite: 's', labels }).labels).toEqual({ git_sha: '4f0c', step: '1200', nightly: 'true' });
  });

  it.each([
    [{ suite: 's' }, { kind: 'model' }],
    [
      { suite: 's', adapter: '' },
      { kind: 'model', adapter: '' },
    ],
    [
      { suite: 's', model: 'm', adapter: 'a' },
      { kind: 'model', model: 'm', adapter: 'a' },
    ],
    [
      { suite: 's', target: { kind: 'model', model: 'echo' } },
      { kind: 'model', model: 'echo' },
    ],
  ])('%o is about %o', (written, target) => {
    expect(targetOfRun(RunRequest.parse(written))).toEqual(target);
  });

  it.each([
    [{}, 'suite: send exactly one of "suite" (a registered name) and "inline_suite"'],
    [{ suite: 's', inline_suite }, 'suite: send exactly one of'],
    [{ suite: 's', adapter: 'a', target: { kind: 'model' } }, 'target: send either'],
    [{ suite: 's', model: 'm', target: { kind: 'model' } }, 'target: send either'],
    [{ suite: '../x' }, 'suite: must not contain'],
    [{ suite: 's', seed: '18446744073709551616' }, 'seed: is above 18446744073709551615'],
    [{ suite: 's', seed: 1e300 }, 'seed: is a number too large for JSON to hold exactly'],
    [{ suite: 's', generation: { n: 0 } }, 'generation.n: must be at least 1'],
    [{ suite: 's', generation: { response_format: { type: 'json_schema' } } }, 'generation.response_format: answers are not'],
    [{ suite: 's', cost_cap: -1 }, 'cost_cap: must be US dollars'],
    [{ suite: 's', token_cap: 0 }, 'token_cap: must be at least 1'],
    [{ suite: 's', concurrency: 0 }, 'concurrency: must be at least 1'],
    [{ suite: 's', labels: { 'a b': '1' } }, 'labels["a b"]: is not a possible name: must be 1 to 63 letters'],
    [{ suite: 's', labels: ['a'] }, 'labels: expected an object, got an array'],
    [{ suite: 's', labels: { a: null } }, 'labels.a: expected a string'],
    [{ suite: 's', labels: { a: 'x\0' } }, 'labels.a: contains the NUL'],
    [{ suite: 's', labels: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`k${i}`, ''])) }, 'labels: has more than 32 labels'],
    [{ inline_suite: { ...inline_suite, examples: [{ messages: [] }] } }, 'inline_suite.examples[0].messages: must have at least 1 item'],
    [null, 'request body: expected an object, got null'],
  ])('refuses %#: %s', (written, message) => {
    expect(() => parseWith(RunRequest, written, 'request body')).toThrow(message);
  });
});
