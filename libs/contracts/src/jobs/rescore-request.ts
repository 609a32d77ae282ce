import { z } from 'zod';
import { EvalConfig } from '../eval-types/eval-config.js';
import { GradedExpectation } from '../graders/graded-expectation.js';
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
    scorer: Scorer.exactOptional(),
    eval_config: EvalConfig.exactOptional().meta({ description: 'An eval type, instead of `scorer`.' }),
    grader: GradedExpectation.shape.grader
      .exactOptional()
      .meta({ description: 'A grader of a case file with its `expect`, instead of `scorer`.' }),
    expect: GradedExpectation.shape.expect.exactOptional(),
    judge: TargetSpec.exactOptional().meta({ description: 'Judges for this scorer, instead of the job’s judge.' }),
  })
  .check(({ value, issues }) => {
    const forms = [value.scorer, value.eval_config, value.grader].filter((form) => form !== undefined);
    if (forms.length !== 1)
      issues.push({ code: 'custom', input: value, message: 'send exactly one of "scorer", "eval_config" and "grader"' });
    if ((value.grader === undefined) !== (value.expect === undefined)) {
      issues.push({ code: 'custom', input: value.expect, path: ['expect'], message: 'goes with "grader"' });
    } else if (value.grader !== undefined) {
      const graded = GradedExpectation.safeParse({ grader: value.grader, expect: value.expect }, { reportInput: true });
      for (const issue of graded.error?.issues ?? []) issues.push(issue as z.core.$ZodRawIssue);
    }
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
