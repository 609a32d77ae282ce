// oxlint-disable-next-line no-restricted-imports -- ajv publishes its 2020-12 build under dist only
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { type z } from 'zod';
import { Config } from '../config/config.js';
import { CompareRequest } from '../jobs/compare-request.js';
import { RunRequest } from '../jobs/run-request.js';
import { Scorer } from '../scorer/scorer.js';
import { Suite } from '../suites/suite.js';
import { jsonSchemas } from './json-schemas.js';

const schemas = jsonSchemas();
const examples = [{ messages: [{ role: 'user', content: 'x' }] }];
const suite = { name: 's', default_scorer: { kind: 'exact_match' }, examples };
const call = { function: { name: 'f' } };

/** Documents on which the JSON Schema and the parser must agree. */
const documents: [string, z.ZodType, unknown][] = [
  ['suite', Suite, suite],
  ['suite', Suite, { ...suite, schema_version: 3 }],
  ['suite', Suite, { ...suite, generation: { seed: '42', thinking_budget_tokens: null, n: 3 }, schema_version: 2 }],
  ['suite', Suite, { ...suite, generation: { temperature: 3 } }],
  ['suite', Suite, { ...suite, aggregation: { kind: 'single', k: 1 } }],
  ['suite', Suite, { ...suite, examples: [] }],
  ['suite', Suite, { ...suite, examples: [{ messages: [{ role: 'assistant', tool_calls: [call] }] }] }],
  ['suite', Suite, { ...suite, examples: [{ messages: [{ role: 'assistant', content: null, tool_calls: [call] }] }] }],
  ['suite', Suite, { ...suite, examples: [{ messages: [{ role: 'user' }] }] }],
  ['suite', Suite, { ...suite, examples: [{ messages: [{ role: 'user', content: null }] }] }],
  ['scorer', Scorer, { kind: 'all', scorers: [{ kind: 'any', scorers: [{ kind: 'contains', phrases: ['a'] }] }] }],
  ['scorer', Scorer, { kind: 'all', scorers: [{ kind: 'nope' }] }],
  ['scorer', Scorer, { kind: 'numeric_tolerance', atol: -1 }],
  ['run_request', RunRequest, { suite: 's', seed: 42, cost_cap: 0.5, labels: { step: 5, nightly: true } }],
  ['run_request', RunRequest, { suite: 's', seed: -1 }],
  ['run_request', RunRequest, { suite: 's', labels: { 'a b': '1' } }],
  ['compare_request', CompareRequest, { suite: 's', adapters: ['', 'a'], gate: { min_accuracy: 0.9 } }],
  ['compare_request', CompareRequest, { suite: 's', adapters: ['', 'a'], gate: { min_accuracy: 0.9, typo: 1 } }],
  ['config', Config, { port: 1, eval: { max_queued_jobs: 2 } }],
  ['config', Config, { ports: 1 }],
];

describe('jsonSchemas', () => {
  it.each(Object.keys(schemas))('%s is a valid JSON Schema of the 2020-12 draft', (name) => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
    expect(() => ajv.compile(schemas[name]!)).not.toThrow();
  });

  it.each(documents)('%s: the schema and the parser agree on document %#', (name, parser, document) => {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schemas[name]!);
    expect(validate(document)).toBe(parser.safeParse(document).success);
  });

  it('covers files, requests and results', () => {
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        'suite',
        'example',
        'scorer',
        'generation',
        'run_request',
        'job',
        'raw_outcome',
        'metrics',
        'verdict',
        'error',
        'config',
      ]),
    );
  });
});
