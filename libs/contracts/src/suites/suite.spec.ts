import { describe, expect, it } from 'vitest';
import { KilnError } from '../errors/kiln-error.js';
import { parseWith } from '../errors/parse-with.js';
import { Suite, SuiteHeader } from './suite.js';

const header = { name: 'math-smoke', schema_version: 2, default_scorer: { kind: 'numeric_tolerance', integer_only: true } };
const examples = [{ id: 'add', messages: [{ role: 'user', content: '47 + 138?' }], target: '185' }];

describe('Suite', () => {
  it('fills the contract’s defaults', () => {
    const suite = Suite.parse({ name: 'a', default_scorer: { kind: 'exact_match' }, examples });
    expect(suite).toMatchObject({
      description: null,
      schema_version: 1,
      generation: { temperature: 0, n: 1, max_tokens: 256 },
      aggregation: { kind: 'single' },
      system_prompt: null,
      tools: null,
    });
  });

  it('is the same parsed twice, so that a stored suite reads back as it was', () => {
    const once = Suite.parse({ ...header, examples, generation: { seed: 42 } });
    expect(Suite.parse(JSON.parse(JSON.stringify(once)))).toEqual(once);
  });

  it('reads a header without examples', () => {
    expect(SuiteHeader.parse(header)).not.toHaveProperty('examples');
  });

  it('drops unknown fields', () => {
    expect(Suite.parse({ ...header, examples, author: 'x' })).not.toHaveProperty('author');
  });

  it.each([
    [{ ...header }, 'examples: is required'],
    [{ ...header, examples: [] }, 'examples: must have at least 1 item'],
    [{ ...header, examples, name: undefined }, 'name: is required'],
    [{ ...header, examples, scorer_waiver: '\u200b' }, 'scorer_waiver: must not be blank'],
    [{ ...header, examples, default_scorer: undefined }, 'default_scorer: is required'],
    [{ ...header, examples, schema_version: 3 }, 'schema_version: must be 1 or 2'],
    [{ ...header, examples, schema_version: '2' }, 'schema_version: must be 1 or 2'],
    [{ ...header, examples, schema_version: 1, generation: { n: 2 } }, 'generation.n: schema_version 1 allows only n = 1'],
    [{ ...header, examples, generation: { response_format: { type: 'json_object' } } }, 'generation.response_format: answers are not'],
    [
      { ...header, examples, schema_version: 1, aggregation: { kind: 'pass_at_k', k: 1 } },
      'aggregation.kind: schema_version 1 allows only "single"',
    ],
    [{ ...header, examples, aggregation: { kind: 'majority_at_k', k: 2 } }, 'aggregation.k: must be odd'],
    [{ ...header, examples, tools: [{}] }, 'tools[0]: must have a non-empty'],
    [{ ...header, examples: [...examples, { messages: [], scorer: null }] }, 'examples[1].messages: must have at least 1 item'],
    [
      { ...header, examples: [examples[0], examples[0], examples[0], { ...examples[0], scorer: { kind: 'x' } }] },
      'examples[3].scorer.kind: unknown scorer kind "x"',
    ],
    [[], 'suite: expected an object, got an array'],
  ])('refuses %#: %s', (written, message) => {
    expect(() => parseWith(Suite, written, 'suite')).toThrow(message);
  });

  it.each([[''], ['  '], ['a/b'], ['a\\b'], ['..'], ['a..b'], ['.'], ['a\nb'], ['x'.repeat(201)], ['a\0']])(
    'refuses the name %j',
    (name) => {
      try {
        parseWith(Suite, { ...header, examples, name }, 'suite');
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(KilnError);
        expect(error).toMatchObject({ code: 'invalid_suite_name', path: 'name', status: 400 });
      }
    },
  );

  it.each([['qwen3.5-agentic-core'], ['a.b'], ['Prüfung 1'], ['测试']])('takes the name %j', (name) => {
    expect(Suite.parse({ ...header, examples, name }).name).toBe(name);
  });
});
