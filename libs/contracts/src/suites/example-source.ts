import { z } from 'zod';
import { Text } from '../scalars/text.js';

/** Where an example came from. Contamination checks compare rows, groups and sessions with the training data's. */
export const ExampleSource = z
  .object({
    dataset: Text.nullable().default(null),
    row: z.int().min(0).nullable().default(null).meta({ description: 'Zero-based row of the dataset.' }),
    group: Text.nullable().default(null),
    session: Text.nullable().default(null),
    conversation: Text.nullable().default(null),
    message: Text.nullable().default(null),
  })
  .meta({ id: 'ExampleSource' });
export type ExampleSource = z.infer<typeof ExampleSource>;
