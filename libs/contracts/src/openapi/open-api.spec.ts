import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { allRoutes } from '../routes/catalogue.js';
import { errorsOf } from '../routes/route.js';
import { type JsonSchema } from './json-schema.js';
import { openApiDocument } from './open-api.js';

const document = openApiDocument('1.2.3');
const schemas = (document['components'] as { schemas: Record<string, JsonSchema> }).schemas;
const operations = Object.values(document['paths'] as Record<string, Record<string, JsonSchema>>).flatMap((item) => Object.values(item));

function references(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(references);
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => (key === '$ref' && typeof value === 'string' ? [value] : references(value)));
}

function resolve(ref: string): unknown {
  let node: unknown = document;
  for (const part of ref.slice(2).split('/')) node = (node as Record<string, unknown> | undefined)?.[part];
  return node;
}

describe('openApiDocument', () => {
  it('is valid by the official schema of OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect(result).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('has one operation for every route, with an id of its own', () => {
    const ids = operations.map((operation) => operation['operationId']);
    expect(new Set(ids)).toEqual(new Set(allRoutes().map((route) => route.operationId)));
    expect(ids).toHaveLength(allRoutes().length);
  });

  it('resolves every reference, and uses every component', () => {
    const refs = new Set(references(document));
    for (const ref of refs) expect(resolve(ref), ref).toBeDefined();
    const unused = Object.keys(schemas).filter((name) => !refs.has(`#/components/schemas/${name}`));
    expect(unused).toEqual([]);
  });

  it('holds no schema in a form that only zod knows', () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain('$defs');
    expect(text).not.toContain('"$schema"');
  });

  it('shows seeds and money as text in answers, and takes numbers too in requests', () => {
    const text = { type: 'string', pattern: '^[0-9]{1,20}$' };
    expect(schemas['RunRequest']).toMatchObject({ properties: { seed: { anyOf: [text, { type: 'integer', minimum: 0 }] } } });
    expect(schemas['Generation']).toMatchObject({ properties: { seed: { anyOf: [text, { type: 'null' }] } } });
  });

  it('lets defaults be left out of requests and promises them in answers', () => {
    expect(schemas['GenerationInput']).not.toHaveProperty('required');
    expect(schemas['Generation']?.['required']).toContain('temperature');
    expect(references(schemas['ExampleInput'])).toContain('#/components/schemas/GenerationInput');
  });

  it('closes exactly the objects that refuse unknown fields', () => {
    const closed = Object.entries(schemas)
      .filter(([, schema]) => schema['additionalProperties'] === false)
      .map(([name]) => name);
    expect(closed.toSorted()).toEqual([
      'CodeEvalType',
      'ContainsType',
      'ExactMatchType',
      'HillclimbGate',
      'LlmJudgeType',
      'ObjectiveGatesGate',
      'ObjectiveGatesGateInput',
      'PairedWilsonGate',
      'PairedWilsonGateInput',
      'PatternMatchType',
      'ReplayRequest',
      'SetCheckType',
      'StepCountCheckType',
      'ToolCallCheckType',
    ]);
    expect(JSON.stringify(schemas['Aggregation'])).toContain('"additionalProperties":false');
  });

  it('says the scope and every possible status', () => {
    for (const route of allRoutes()) {
      const operation = operations.find((candidate) => candidate['operationId'] === route.operationId);
      expect(operation?.['x-scope']).toBe(route.scope ?? undefined);
      const codes = JSON.stringify(operation?.['responses']);
      for (const code of errorsOf(route)) expect(codes).toContain(`\`${code}\``);
    }
  });

  it('announces Retry-After where it is sent', () => {
    expect(operations.find((operation) => operation['operationId'] === 'submitRun')).toMatchObject({
      responses: { 503: { headers: { 'Retry-After': {} } } },
    });
  });

  it('is made anew each time, the same', () => {
    expect(openApiDocument('1.2.3')).toEqual(document);
  });
});
