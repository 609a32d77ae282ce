import { describe, expect, it } from 'vitest';
import { compileJsonSchema } from './compile-json-schema.js';

function resultOf(schema: unknown, json: string): string {
  const compiled = compileJsonSchema(schema);
  if (compiled.kind === 'bad_schema') return `bad_schema ${compiled.pointer}: ${compiled.message}`;
  const result = compiled.validate(JSON.parse(json));
  return result.kind === 'not_valid' ? `${result.pointer}: ${result.message}` : result.kind;
}

describe('names of Object.prototype', () => {
  // A literal { __proto__: … } would set the prototype.
  const named = (name: string, schema: unknown): unknown => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(schema)}}`);

  it.each(Object.getOwnPropertyNames(Object.prototype))('%s is a name like any other', (name) => {
    const key = JSON.stringify(name);
    const number = { properties: named(name, { type: 'number' }), required: [name], additionalProperties: false };
    expect(resultOf(number, `{${key}:1}`)).toBe('valid');
    expect(resultOf(number, `{${key}:"1"}`)).toBe(`/${name}: must be number`);
    expect(resultOf(number, '{}')).toBe(`: must have required property '${name}'`);
    for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
      expect(resultOf({ properties: { a: true }, [keyword]: false }, '{"a":1}')).toBe('valid');
      expect(resultOf({ properties: { a: true }, [keyword]: false }, `{${key}:1}`)).toContain(`properties: ${key}`);
    }
    expect(resultOf({ dependentRequired: named(name, ['a']) }, '{}')).toBe('valid');
    expect(resultOf({ dependentRequired: named(name, ['a']) }, `{${key}:1}`)).toContain('must have property a');
    expect(resultOf({ patternProperties: { [`^${name}$`]: { type: 'null' } } }, `{${key}:1}`)).toBe(`/${name}: must be null`);
    expect(resultOf({ propertyNames: { maxLength: name.length - 1 } }, `{${key}:1}`)).toContain('property name must be valid');
    expect(resultOf({ const: named(name, { a: [1] }) }, `{${key}:{"a":[1.0]}}`)).toBe('valid');
    expect(resultOf({ enum: [named(name, 1)] }, '{}')).toBe(': must be one of the values of the enum');
    expect(resultOf({ uniqueItems: true }, `[{${key}:1},{${key}:2},{}]`)).toBe('valid');
    expect(resultOf({ enum: [name] }, key)).toBe('valid');
    // The form in which the name is hidden is another name.
    expect(resultOf({ required: [name] }, `{${JSON.stringify(`${name.slice(0, -1)}\uE000`)}:1}`)).toBe(
      `: must have required property '${name}'`,
    );
  });
});

describe('values', () => {
  it.each([
    ['an empty enum holds nothing', { enum: [] }, '1', ': must be one of the values of the enum'],
    ['key order does not matter', { enum: [{ a: 1, b: 2 }] }, '{"b":2,"a":1}', 'valid'],
    ['1.0 is an integer', { type: 'integer' }, '1.0', 'valid'],
    ['1.5 is none', { type: 'integer' }, '1.5', ': must be integer'],
    ['true is no number', { enum: [1] }, 'true', ': must be one of the values of the enum'],
    ['decimals divide exactly', { multipleOf: 0.01 }, '19.99', 'valid'],
    ['and only where they do', { multipleOf: 0.01 }, '19.995', ': must be a multiple of 0.01'],
    ['beyond what a float holds nothing divides', { multipleOf: 2 }, '1e999', ': must be a multiple of 2'],
    ['0 is a multiple', { multipleOf: 3 }, '-0.0', 'valid'],
    ['equal items', { uniqueItems: true }, '[{"a":1,"b":2},{"b":2,"a":1.0}]', ': must not have equal items'],
    ['items of other types', { uniqueItems: true }, '[1,"1",true,"true",null,[1],{"1":1}]', 'valid'],
    ['format is an annotation', { format: 'email' }, '"nobody"', 'valid'],
    ['length is in characters', { maxLength: 1 }, '"😀"', 'valid'],
    ['a schema that nothing passes', false, '1', ': boolean schema is false'],
    ['of alternatives the last error sums up', { anyOf: [{ type: 'string' }, { type: 'null' }] }, '1', ': must match a schema in anyOf'],
    ['OpenAPI’s nullable means nothing here', { type: 'string', nullable: true }, 'null', ': must be string'],
    ['nor does the library’s $async', { $async: true, type: 'string' }, '1', ': must be string'],
    ['nor what only looks like our own mark', { 'x-kiln-step': 'evil', type: 'string' }, '"a"', 'valid'],
  ])('%s', (_, schema, json, expected) => {
    expect(resultOf(schema, json)).toBe(expected);
  });
});

describe('drafts', () => {
  const sibling = { definitions: { list: { type: 'array' } }, properties: { a: { $ref: '#/definitions/list', maxItems: 1 } } };

  it('draft 7 ignores what stands beside a $ref, later ones do not', () => {
    expect(resultOf({ $schema: 'http://json-schema.org/draft-07/schema#', ...sibling }, '{"a":[1,2]}')).toBe('valid');
    expect(resultOf(sibling, '{"a":[1,2]}')).toBe('/a: must NOT have more than 1 items');
  });

  it('a list of item schemas is draft 7 and 2019-09; 2020-12 says prefixItems', () => {
    const tuple = { items: [{ type: 'string' }], additionalItems: false };
    expect(resultOf({ $schema: 'http://json-schema.org/draft-07/schema', ...tuple }, '["a"]')).toBe('valid');
    expect(resultOf({ $schema: 'https://json-schema.org/draft/2019-09/schema', ...tuple }, '["a",1]')).toContain('more than 1 items');
    expect(resultOf(tuple, '["a"]')).toBe('bad_schema /items: must be object,boolean');
    expect(resultOf({ prefixItems: tuple.items, items: false }, '["a",1]')).toContain('more than 1 items');
  });

  it.each([['http://json-schema.org/draft-04/schema#'], ['https://example.com/schema'], [7]])('refuses %s', ($schema) => {
    expect(resultOf({ $schema }, '1')).toContain('bad_schema /$schema: must be one of http://json-schema.org/draft-07/schema,');
  });
});

describe('references', () => {
  it('lead to documents inside the document, each with its own base', () => {
    const schema = {
      $id: 'https://example.com/order',
      properties: { item: { $ref: 'item' }, note: { $ref: '#/$defs/note' } },
      $defs: { note: { type: 'string' }, item: { $id: 'item', $ref: '#/$defs/note', $defs: { note: { type: 'integer' } } } },
    };
    expect(resultOf(schema, '{"item":1,"note":"a"}')).toBe('valid');
    expect(resultOf(schema, '{"item":"a"}')).toBe('/item: must be integer');
    expect(resultOf(schema, '{"note":1}')).toBe('/note: must be string');
  });

  it('lead into unknown keywords too', () => {
    const list = { type: 'object', properties: { next: { $ref: '#/components/schemas/List' } } };
    const schema = { $ref: '#/components/schemas/List', components: { schemas: { List: list } } };
    expect(resultOf(schema, '{"next":{"next":{}}}')).toBe('valid');
    expect(resultOf(schema, '{"next":{"next":3}}')).toBe('/next/next: must be object');
  });

  it('lead to the schema of a draft', () => {
    expect(resultOf({ $ref: 'https://json-schema.org/draft/2020-12/schema' }, '{"minLength":-1}')).toBe('/minLength: must be >= 0');
  });

  it.each([
    ['another host', { $ref: 'http://example.com/x' }, '/$ref'],
    ['another file', { properties: { a: { $ref: 'other.json#/x' } } }, '/properties/a/$ref'],
    ['nowhere', { items: { anyOf: [{ $ref: '#/$defs/none' }] } }, '/items/anyOf/0/$ref'],
  ])('to %s are refused', (_, schema, pointer) => {
    expect(resultOf(schema, '1')).toBe(`bad_schema ${pointer}: leads nowhere inside the schema, and nothing is fetched`);
  });
});

describe('bad schemas', () => {
  it.each([
    ['no schema', [1], ''],
    ['a misspelt type', { properties: { age: { type: 'integr' } } }, '/properties/age/type'],
    ['properties that are none', { properties: 3 }, '/properties'],
    ['a negative length', { items: { minLength: -1 } }, '/items/minLength'],
    ['look-ahead', { properties: { 'a/b': { pattern: '(?=x)' } } }, '/properties/a~1b/pattern'],
    ['a back-reference', { pattern: String.raw`(a)\1` }, '/pattern'],
    ['look-ahead for names', { patternProperties: { '(?!x)': {} } }, '/patternProperties/(?!x)'],
    ['a URI that is none', { $id: 'http://[' }, '/$id'],
    ['two documents of one name', { $defs: { a: { $id: 'x' }, b: { $id: 'x', type: 'null' } } }, ''],
    ['a circle', { $ref: '#' }, ''],
    ['a circle of alternatives', { anyOf: [{ $ref: '#/$defs/a' }], $defs: { a: { not: { $ref: '#' } } } }, ''],
  ])('%s is refused, with its place', (_, schema, pointer) => {
    expect(compileJsonSchema(schema)).toMatchObject({ kind: 'bad_schema', pointer });
  });

  it('too many subschemas, and references that multiply', () => {
    const properties = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`p${index}`, { type: 'null' }]));
    expect(resultOf({ properties }, '{}')).toContain('is beyond the first 2000 subschemas');
    const twice = (index: number) => ({ allOf: [{ $ref: `#/$defs/${index}` }, { $ref: `#/$defs/${index}` }] });
    const $defs = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [index, index === 0 ? {} : twice(index - 1)]));
    expect(resultOf({ $defs, ...twice(39) }, '1')).toContain('no value can be checked');
  });
});

describe('hostile input', () => {
  const nested = (depth: number, inner: string): string => `${'{"x":'.repeat(depth)}${inner}${'}'.repeat(depth)}`;
  const branch = { type: 'object', properties: { x: { $ref: '#' } } };

  it('alternatives that recurse are given up, not run for years', () => {
    const started = performance.now();
    expect(resultOf({ anyOf: [branch, branch] }, nested(60, '1'))).toBe('too_costly');
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(resultOf({ anyOf: [branch, branch] }, nested(60, '{}'))).toBe('valid');
  });

  it('the same inside a keyword that nobody knows', () => {
    const inner = { type: 'object', properties: { x: { $ref: '#/stuff/A' } } };
    expect(resultOf({ $ref: '#/stuff/A', stuff: { A: { anyOf: [inner, inner] } } }, nested(60, '1'))).toBe('too_costly');
  });

  it('a circle that only some values enter', () => {
    const schema = { properties: { x: { $ref: '#/$defs/a' } }, $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } };
    expect(resultOf(schema, '{"y":1}')).toBe('valid');
    expect(resultOf(schema, '{"x":1}')).toBe('too_costly');
  });

  it('depth is limited before anything recurses', () => {
    expect(resultOf({ items: { $ref: '#' } }, '['.repeat(200) + ']'.repeat(200))).toBe('valid');
    expect(resultOf({ items: { $ref: '#' } }, '['.repeat(201) + ']'.repeat(201))).toBe('too_deep');
    expect(resultOf({}, '['.repeat(100_000) + ']'.repeat(100_000))).toBe('too_deep');
  });

  it('patterns and uniqueItems take linear time', () => {
    const started = performance.now();
    expect(resultOf({ pattern: '^(a+)+$' }, JSON.stringify(`${'a'.repeat(50_000)}!`))).toContain('must match pattern');
    expect(resultOf({ patternProperties: { '^(a|a)*$': false } }, JSON.stringify({ [`${'a'.repeat(50_000)}!`]: 1 }))).toBe('valid');
    expect(resultOf({ uniqueItems: true }, JSON.stringify(Array.from({ length: 100_000 }, (_, index) => index)))).toBe('valid');
    expect(resultOf({ uniqueItems: true }, JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ a: index }))))).toBe('valid');
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('names, values and patterns never become code', () => {
    const evil = [`"];throw 1;//`, `'+(()=>{throw 1})()+'`, '`${(()=>{throw 1})()}`', '*/throw 1;/*', '\u2028throw 1', '\\"];throw 1;//'];
    const values = Object.fromEntries(evil.map((text) => [text, text]));
    const schema = {
      title: evil[0],
      $comment: evil[3],
      $defs: Object.fromEntries(evil.map((text) => [text, { const: text }])),
      properties: Object.fromEntries(evil.map((text) => [text, { enum: [text], pattern: '^' }])),
      patternProperties: { '\\*/throw': { minLength: 1 } },
      required: evil,
      dependentRequired: Object.fromEntries(evil.map((text) => [text, evil])),
      additionalProperties: false,
    };
    expect(resultOf(schema, JSON.stringify(values))).toBe('valid');
    expect(resultOf(schema, '{}')).toContain('must have required property');
  });
});

it('patterns are written as in ECMA-262', () => {
  const matches = (pattern: string, text: string): boolean => resultOf({ pattern }, JSON.stringify(text)) === 'valid';
  expect(matches(String.raw`^\p{Letter}+$`, 'Ångström')).toBe(true);
  expect(matches(String.raw`^\p{Script=Greek}$`, 'λ')).toBe(true);
  expect(matches(String.raw`^\P{Lowercase_Letter}$`, 'a')).toBe(false);
  expect(matches(String.raw`^\u00e1\/(?<year>\d{4})$`, 'á/2026')).toBe(true);
  expect(matches(String.raw`^\\p{Letter}$`, String.raw`\p{Letter}`)).toBe(true);
  expect(matches('b', 'abc')).toBe(true);
});
