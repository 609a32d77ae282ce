import { z } from 'zod';
import { nonBlankText } from '../scalars/text.js';
import { Scorer } from '../scorer/scorer.js';
import { TargetSpec } from '../targets/target-spec.js';
import { jobOptions } from './job-options.js';

/** Runs of a rescore, at most: source runs × scorers. */
export const MAX_RESCORE_RUNS = 16;

const { labels, cost_cap, token_cap, concurrency, judge } = jobOptions;

const NamedScorer = z
  .object({
    name: nonBlankText(200).exactOptional().meta({ description: 'Names it in results; default: its kind.' }),
    scorer: Scorer,
    judge: TargetSpec.exactOptional().meta({ description: 'Judges for this scorer, instead of the job’s judge.' }),
  })
  .meta({ id: 'NamedScorer' });
export type NamedScorer = z.output<typeof NamedScorer>;

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
