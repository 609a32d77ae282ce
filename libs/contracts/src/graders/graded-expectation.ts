import { z } from 'zod';
import { JsonObject } from '../scalars/json-value.js';
import { GRADER_EXPECTATIONS } from './grader-expectations.js';
import { Grader } from './grader.js';

/** A grader with what the case expects. */
export const GradedExpectation = z
  .strictObject({ grader: Grader, expect: JsonObject })
  .check(({ value: { grader, expect }, issues }) => {
    const parsed = GRADER_EXPECTATIONS[grader.type].safeParse(expect, { reportInput: true });
    for (const issue of parsed.error?.issues ?? []) issues.push({ ...issue, path: ['expect', ...issue.path] } as z.core.$ZodRawIssue);
  })
  .meta({ id: 'GradedExpectation' });
export type GradedExpectation = z.output<typeof GradedExpectation>;
