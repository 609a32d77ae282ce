import { z } from 'zod';
import { JsonValue } from '../scalars/json-value.js';
import { Text } from '../scalars/text.js';
import { ValueExpression } from './scored-value.js';

/** RFC 6901: empty, or `/`-separated tokens in which `~` is written `~0` and `/` is written `~1`. */
const JSON_POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

/** Passes when the last number of the answer is within atol + rtol·|target| of the target's only number. */
export const NumericToleranceScorer = z
  .object({
    kind: z.literal('numeric_tolerance'),
    atol: z.number().min(0).default(0),
    rtol: z.number().min(0).default(0),
    integer_only: z.boolean().default(false).meta({ description: 'Refuse a prediction with a fraction.' }),
  })
  .meta({ id: 'NumericToleranceScorer' });

/** Passes when the answer holds JSON of the wanted shape, equal to the target where there is one. */
export const JsonValidityScorer = z
  .object({
    kind: z.literal('json_validity'),
    require_object: z.boolean().default(false),
    required_paths: z.array(Text.regex(JSON_POINTER, 'must be a JSON Pointer such as "/tool_call/name" (RFC 6901)')).default(() => []),
  })
  .meta({ id: 'JsonValidityScorer' });

/** Passes when the answer holds JSON that the schema accepts. */
export const JsonSchemaScorer = z
  .object({
    kind: z.literal('json_schema'),
    schema: JsonValue.refine(
      (schema) => typeof schema === 'boolean' || isObject(schema),
      'must be a JSON Schema: an object, true or false',
    ),
    value_expression: ValueExpression,
  })
  .meta({ id: 'JsonSchemaScorer' });

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const CodeStyle = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('any_block') }),
    z.object({ kind: z.literal('exact_block'), strip_comments: z.boolean().default(false) }),
    z.object({ kind: z.literal('token_similarity'), min_jaccard: z.number().min(0).max(1).default(0.6) }),
    z.object({ kind: z.literal('line_coverage'), threshold: z.number().min(0).max(1).default(0.7) }),
  ])
  .meta({ id: 'CodeStyle' });

/** Compares code without running it. */
export const CodeScorer = z
  .object({
    kind: z.literal('code'),
    language: Text.min(1).nullable().default(null),
    style: CodeStyle,
  })
  .meta({ id: 'CodeScorer' });
