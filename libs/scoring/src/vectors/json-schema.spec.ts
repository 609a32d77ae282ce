import { describe, expect, it } from 'vitest';
import { compileJsonSchema } from '../json-schema/compile-json-schema.js';
import { scoreAnswer } from '../score-answer.fixture.js';
import { findThirdPartyVectors } from './find-third-party.fixture.js';

/** The official suite of JSON Schema, as far as it is collected: every case passes. */
describe.each([
  ['json_schema_draft7.json', 'http://json-schema.org/draft-07/schema#'],
  ['json_schema_draft2020_12.json', undefined],
])('%s', (file, uri) => {
  const vectors = findThirdPartyVectors(file);

  it.skipIf(vectors === null)('agrees on every value', () => {
    const wrong: string[] = [];
    for (const { keyword, description, schema, tests } of vectors.groups) {
      const isObject = typeof schema === 'object';
      const compiled = compileJsonSchema(isObject && uri !== undefined ? { $schema: uri, ...schema } : schema);
      for (const test of tests) {
        const result = compiled.kind === 'schema' ? compiled.validate(test.data).kind : compiled.message;
        if (result !== (test.valid ? 'valid' : 'not_valid')) wrong.push(`${keyword}: ${description}: ${test.description}: ${result}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it.skipIf(vectors === null)('scores answers in prose the same', () => {
    for (const { schema, tests } of vectors.groups.slice(0, 40)) {
      for (const { data, valid } of tests) {
        if (typeof data !== 'object' || data === null) continue;
        const scorer = {
          kind: 'json_schema',
          schema: uri === undefined || typeof schema !== 'object' ? schema : { $schema: uri, ...schema },
        };
        expect(scoreAnswer(scorer, `Here it is:\n\n\`\`\`json\n${JSON.stringify(data)}\n\`\`\`\n`).kind).toBe(valid ? 'pass' : 'fail');
      }
    }
  });
});
