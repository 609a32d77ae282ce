import { z } from 'zod';
import { nonBlankText } from '../scalars/text.js';
import { Scorer } from '../scorer/scorer.js';
import { jobOptions } from './job-options.js';

/** Runs of a rescore, at most: source runs × scorers. */
export const MAX_RESCORE_RUNS = 16;

const NamedScorer = z
  .object({ name: nonBlankText(200).exactOptional().meta({ description: 'Names it in results; default: its kind.' }), scorer: Scorer })
  .meta({ id: 'NamedScorer' });

const { labels, cost_cap, token_cap, concurrency, judge } = jobOptions;

/** Score the stored traces of a finished job with other scorers. Nothing is generated. */
export const RescoreRequest = z
  .object({
    scorers: z.array(NamedScorer).min(1).max(MAX_RESCORE_RUNS),
    run_index: z.int().min(0).exactOptional().meta({ description: 'Only this run; default: all runs of the job.' }),
    labels,
    cost_cap,
    token_cap,
    concurrency,
    judge,
  })
  .meta({ id: 'RescoreRequest' });
export type RescoreRequest = z.output<typeof RescoreRequest>;
