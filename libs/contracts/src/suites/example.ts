import { z } from 'zod';
import { Message } from '../message.js';
import { JsonObject } from '../scalars/json-value.js';
import { Text, nonBlankText } from '../scalars/text.js';
import { Scorer } from '../scorer/scorer.js';
import { Tool } from '../tool.js';
import { ExampleSource } from './example-source.js';
import { Generation } from './generation.js';

/** Ids are index keys in the database: 512 characters are at most 2,048 bytes, under a B-tree's limit. */
export const ExampleId = nonBlankText(512);

/**
 * One prompt with its target: one independent observation. Parsed: every field but `id` is present, null where nothing
 * was written. A missing id is derived later from messages, target and aliases.
 */
export const Example = z
  .object({
    id: ExampleId.exactOptional(),
    messages: z.array(Message).min(1),
    target: Text.nullable().default(null),
    aliases: z
      .array(Text)
      .default(() => [])
      .meta({ description: 'Other answers that are right too.' }),
    tags: z.array(nonBlankText(256)).default(() => []),
    weight: z.number().min(0).default(1).meta({ description: 'Affects weighted_mean_score only.' }),
    metadata: JsonObject.nullable().default(null).meta({ description: 'Copied into results.' }),
    scorer: Scorer.nullable().default(null),
    generation: Generation.nullable().default(null).meta({ description: 'Replaces the run’s and the suite’s settings as a whole.' }),
    tools: z.array(Tool).nullable().default(null).meta({ description: 'Replaces the suite’s catalogue; [] = no tools.' }),
    split: nonBlankText(64).nullable().default(null),
    category: nonBlankText(256).nullable().default(null),
    notes: Text.nullable().default(null),
    pinned_history: z.array(Message).nullable().default(null),
    cluster: nonBlankText(512).nullable().default(null).meta({ description: 'Examples of one cluster are not independent.' }),
    source: ExampleSource.nullable().default(null),
    reference: JsonObject.nullable().default(null).meta({ description: 'Known to scorers and judges, never to the target.' }),
  })
  .meta({ id: 'Example' });
export type Example = z.output<typeof Example>;
export type ExampleInput = z.input<typeof Example>;
