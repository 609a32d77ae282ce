import { Generation } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { checkRunOverride } from './completion-count.js';
import { SuiteValidator } from './suite-validator.js';
import { errorOf, example, header } from './suite-text.fixture.js';

const PASS_AT_3 = { aggregation: { kind: 'pass_at_k', k: 3 }, generation: { n: 3, temperature: 1 } };

describe('SuiteValidator', () => {
  it('resolves ids: written ones stay, others are derived', () => {
    const validator = new SuiteValidator(header());
    expect(validator.add(example({ id: 'own' }), 0).id).toBe('own');
    expect(validator.add(example(), 1).id).toMatch(/^[0-9a-f]{16}$/);
    expect(validator.finish()).toEqual({ count: 2 });
  });

  it('refuses a suite without examples, or with too many', () => {
    expect(errorOf(() => new SuiteValidator(header()).finish())).toMatchObject({
      path: 'examples',
      message: 'examples: the suite has no examples',
    });
    const validator = new SuiteValidator(header(), { maxExamples: 1 });
    validator.add(example(), 0);
    expect(errorOf(() => validator.add(example(), 1))).toMatchObject({ code: 'payload_too_large', status: 413 });
  });

  it('requires n = K of every example, and says whose n is wrong', () => {
    expect(() => new SuiteValidator(header(PASS_AT_3)).add(example(), 0)).not.toThrow();
    const own = errorOf(() => new SuiteValidator(header(PASS_AT_3)).add(example({ generation: { temperature: 1 } }), 4));
    expect(own.message).toBe('examples[4].generation.n: is 1, but the aggregation pass@3 takes exactly 3 completions of every example');
    expect(own.hint).toContain('Set n to 3');
    const line = errorOf(() => new SuiteValidator(header()).add(example({ generation: { n: 2 } }), 4, 9));
    expect(line.message).toBe('line 9: generation.n: is 2, but the aggregation single takes exactly 1 completion of every example');
    const suite = errorOf(() => new SuiteValidator(header({ aggregation: { kind: 'mean_at_k', k: 2 } })).add(example(), 0));
    expect(suite.path).toBe('generation.n');
  });

  it('hands scorers and targets to the given check, the default one once', () => {
    const compiled: string[] = [];
    const checked: string[] = [];
    const validator = new SuiteValidator(header(), {
      compileScorerCheck: (scorer, path) => {
        compiled.push(`${path} ${scorer.kind}`);
        return (_, at) => void checked.push(at);
      },
    });
    validator.add(example(), 0);
    validator.add(example(), 1, 3);
    validator.add(example({ scorer: { kind: 'json_validity' } }), 2);
    expect(compiled).toEqual(['default_scorer exact_match', 'examples[2].scorer json_validity']);
    expect(checked).toEqual(['examples[0]', 'line 3', 'examples[2]']);
  });

  it('does not grow with the suite', () => {
    const validator = new SuiteValidator(header());
    const one = example();
    const before = JSON.stringify(validator);
    for (let ordinal = 0; ordinal < 20_000; ordinal += 1) validator.add(one, ordinal);
    expect(JSON.stringify(validator)).toBe(before);
    expect(validator.finish()).toEqual({ count: 20_000 });
  });
});

describe('checkRunOverride', () => {
  it('repeats the check for the settings of a run', () => {
    expect(() => checkRunOverride(header(PASS_AT_3), Generation.parse({ n: 3 }))).not.toThrow();
    const error = errorOf(() => checkRunOverride(header(PASS_AT_3), Generation.parse({ temperature: 1 })));
    expect(error).toMatchObject({ path: 'generation.n', message: expect.stringMatching(/^generation\.n: is 1, but .* pass@3/) });
  });
});
