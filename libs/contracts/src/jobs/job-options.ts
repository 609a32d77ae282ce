import { z } from 'zod';
import { U64 } from '../scalars/u64.js';
import { Usd } from '../scalars/usd.js';
import { Generation } from '../suites/generation.js';
import { TargetSpec } from '../targets/target-spec.js';
import { Labels } from './labels.js';

/** Fields that every job request has. */
export const jobOptions = {
  generation: Generation.exactOptional().meta({ description: 'Replaces the suite’s settings as a whole.' }),
  seed: U64.exactOptional().meta({ description: 'Before generation.seed of request and suite; random when none is set.' }),
  labels: Labels.exactOptional(),
  cost_cap: Usd.exactOptional().meta({ description: 'US dollars. No sample starts that could exceed it.' }),
  token_cap: z.int().min(1).exactOptional().meta({ description: 'Prompt and completion tokens together.' }),
  concurrency: z
    .int()
    .min(1)
    .max(100_000)
    .exactOptional()
    .meta({ description: 'Shards that are worked on at a time, over the whole fleet.' }),
  judge: TargetSpec.exactOptional().meta({
    description: 'Judges where a scorer names no model; default: the base of the model that is evaluated.',
  }),
};

/** Whether stored traces of other jobs may stand for samples. */
export const TraceReuse = z.enum(['auto', 'never']).default('auto').meta({
  description:
    '`auto`: a sample whose prompt, target, execution, settings and seed are those of a stored trace is not generated again. A job’s own traces always count.',
});
