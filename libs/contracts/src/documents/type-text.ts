import { INPUT_SUFFIX } from '../openapi/components.js';
import { type JsonSchema } from '../openapi/json-schema.js';

const COMPONENTS = '#/components/schemas/';

/**
 * A JSON Schema in a few words of Markdown for a table cell: `string`, `[Suite](#suite)`, `array of [Message](#message)`.
 * Bounds follow where they are narrower than the type.
 */
export function typeText(schema: JsonSchema): string {
  const ref = schema['$ref'];
  if (typeof ref === 'string') return link(ref.slice(COMPONENTS.length));
  const alternatives = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (alternatives) return [...new Set(alternatives.map(typeText))].join(' or ');
  if ('not' in schema) return 'never';
  if ('const' in schema) return code(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map(code).join(' \\| ');
  const type = schema['type'];
  if (Array.isArray(type)) return type.map((name) => typeText({ ...schema, type: name })).join(' or ');
  if (type === 'array') return `array of ${typeText((schema['items'] as JsonSchema | undefined) ?? {})}`;
  if (type === 'object') return objectText(schema);
  return `${typeof type === 'string' ? type : 'any JSON'}${type === 'string' || type === 'null' ? '' : boundsText(schema)}`;
}

function link(component: string): string {
  const name = schemaName(component);
  return `[${name}](#${name.toLowerCase()})`;
}

/** The name under which a component is shown: its request form stands for both, being the answer's form with fields optional. */
export function schemaName(component: string): string {
  return component.endsWith(INPUT_SUFFIX) ? component.slice(0, -INPUT_SUFFIX.length) : component;
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

function objectText(schema: JsonSchema): string {
  const values = schema['additionalProperties'];
  if (typeof values === 'object' && values !== null) return `object of ${typeText(values as JsonSchema)}`;
  const properties = schema['properties'] as Record<string, JsonSchema> | undefined;
  if (!properties) return 'object';
  const fields = Object.entries(properties).map(([name, field]) => `\`${name}\`: ${typeText(field)}`);
  return `{ ${fields.join(', ')} }`;
}

function boundsText(schema: JsonSchema): string {
  const { minimum, exclusiveMinimum, maximum } = schema as Record<string, number | undefined>;
  const low =
    exclusiveMinimum === undefined
      ? minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER
        ? ''
        : `≥ ${minimum}`
      : `> ${exclusiveMinimum}`;
  const high = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : `≤ ${maximum}`;
  const bounds = [low, high].filter((text) => text !== '').join(', ');
  return bounds === '' ? '' : ` ${bounds}`;
}
