import { z } from 'zod';
import { LabelValue, MAX_LABEL_LENGTH } from '../jobs/labels.js';
import { Message } from '../message.js';
import { U64, U64Text } from '../scalars/u64.js';
import { Usd } from '../scalars/usd.js';

export type JsonSchema = Record<string, unknown>;
/** `input`: what a sender may write. `output`: what the server answers. */
export type Direction = 'input' | 'output';

const U64_PATTERN = '^[0-9]{1,20}$';
const USD_PATTERN = '^(0|[1-9][0-9]{0,8})(\\.[0-9]{1,9})?$';

/** Forms of the values that are converted at the edge, which zod cannot describe itself. */
const converted = new Map<unknown, Record<Direction, JsonSchema>>([
  [U64, decimal('integer', U64_PATTERN)],
  [U64Text, decimal('integer', U64_PATTERN)],
  [Usd, decimal('number', USD_PATTERN)],
  [
    LabelValue,
    {
      input: { type: ['string', 'number', 'boolean'], maxLength: MAX_LABEL_LENGTH },
      output: { type: 'string', maxLength: MAX_LABEL_LENGTH },
    },
  ],
]);

function decimal(number: 'integer' | 'number', pattern: string): Record<Direction, JsonSchema> {
  const text = { type: 'string', pattern };
  return { input: { anyOf: [text, { type: number, minimum: 0 }] }, output: text };
}

/** JSON Schema 2020-12 of `schema` in one direction. Schemas with an id become entries of `$defs`, referred to by `$ref`. */
export function toJsonSchema(schema: z.ZodType, direction: Direction): JsonSchema {
  return z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: direction,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const node = jsonSchema as JsonSchema;
      const forms = converted.get(zodSchema);
      if (forms) {
        for (const key of Object.keys(node)) if (key !== 'description') delete node[key];
        Object.assign(node, forms[direction]);
      }
      if (isOpenObject(zodSchema)) delete node['additionalProperties'];
      if (zodSchema === Message && direction === 'input') allowMissingContent(node);
    },
  }) as JsonSchema;
}

/** Answers may gain fields later, so only objects that refuse unknown fields are closed. */
function isOpenObject(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodObject && schema.def.catchall === undefined;
}

/** The one rule of messages that zod states in code: an assistant message that calls tools needs no content. */
function allowMissingContent(message: JsonSchema): void {
  const properties = message['properties'] as Record<string, JsonSchema>;
  properties['content'] = { type: ['string', 'null'] };
  message['required'] = ['role'];
  message['anyOf'] = [
    { properties: { content: { type: 'string' } }, required: ['content'] },
    { properties: { tool_calls: { type: 'array', minItems: 1 } }, required: ['tool_calls'] },
  ];
}
