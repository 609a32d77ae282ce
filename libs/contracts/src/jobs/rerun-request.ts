import { z } from 'zod';
import { Text } from '../scalars/text.js';
import { U64 } from '../scalars/u64.js';
import { jobOptions } from './job-options.js';

/** What an example of the source must have come to; a pass is asked for with `include_pass`. */
export const RerunKind = z.enum(['fail', 'invalid', 'error']).meta({ id: 'RerunKind' });
export type RerunKind = z.infer<typeof RerunKind>;

const { labels, cost_cap, token_cap, concurrency } = jobOptions;

/** Run the examples of a finished job again that came to certain outcomes in any of its runs. */
export const RerunRequest = z
  .object({
    adapter: Text.max(200).exactOptional().meta({
      description: 'Run this adapter of the first run’s model ("" = the base model) instead of the targets of the job.',
    }),
    outcome_kinds: z.array(RerunKind).default(['fail', 'invalid', 'error']),
    include_pass: z.boolean().default(false).meta({ description: 'Examples that passed, too.' }),
    seed: U64.exactOptional().meta({ description: 'Default: the seed of the job.' }),
    labels,
    cost_cap,
    token_cap,
    concurrency,
  })
  .meta({ id: 'RerunRequest' });
export type RerunRequest = z.output<typeof RerunRequest>;
