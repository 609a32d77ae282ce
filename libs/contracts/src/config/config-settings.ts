import { type JsonSchema, toJsonSchema } from '../openapi/json-schema.js';
import { Config } from './config.js';

/** One setting that can be written in the file or in the environment. */
export interface ConfigSetting {
  /** `eval.max_queued_jobs` */
  path: string;
  /** `KILN_EVAL_MAX_QUEUED_JOBS` */
  variable: string;
  type: 'string' | 'integer' | 'number' | 'boolean';
  /** All that a text may be; null = anything. */
  values: readonly string[] | null;
  default: unknown;
  description: string;
}

/** Every leaf of {@link Config}, in the order of the schema. */
export function configSettings(): ConfigSetting[] {
  return leaves(toJsonSchema(Config, 'input'), [], Config.parse({}));
}

function leaves(schema: JsonSchema, path: string[], defaults: unknown): ConfigSetting[] {
  const properties = schema['properties'] as Record<string, JsonSchema> | undefined;
  if (properties) {
    return Object.entries(properties).flatMap(([key, child]) => leaves(child, [...path, key], (defaults as Record<string, unknown>)[key]));
  }
  return [
    {
      path: path.join('.'),
      variable: `KILN_${path.join('_').toUpperCase()}`,
      type: leafType(schema),
      values: (schema['enum'] as string[] | undefined) ?? null,
      default: defaults,
      description: typeof schema['description'] === 'string' ? schema['description'] : '',
    },
  ];
}

function leafType(schema: JsonSchema): ConfigSetting['type'] {
  const alternatives = (schema['anyOf'] as JsonSchema[] | undefined) ?? [schema];
  const type = alternatives.flatMap((alternative) => alternative['type']).find((name) => name !== 'null' && name !== undefined);
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string';
}
