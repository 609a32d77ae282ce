import { z } from 'zod';
import { Text, nonBlankText } from '../scalars/text.js';
import { Suite } from '../suites/suite.js';
import { SuiteName } from '../suites/suite-name.js';
import { TargetSpec } from '../targets/target-spec.js';
import { jobOptions, TraceReuse } from './job-options.js';

/** Evaluate one target on one suite. */
export const RunRequest = z
  .object({
    suite: SuiteName.exactOptional(),
    inline_suite: Suite.exactOptional(),
    model: nonBlankText(200).exactOptional().meta({ description: 'Omitted = the server’s default model.' }),
    adapter: Text.max(200).exactOptional().meta({ description: 'Omitted or "" = the base model.' }),
    target: TargetSpec.exactOptional().meta({ description: 'Instead of model and adapter.' }),
    ...jobOptions,
    reuse: TraceReuse,
  })
  .check(({ value, issues }) => {
    if ((value.suite === undefined) === (value.inline_suite === undefined)) {
      issues.push({
        code: 'custom',
        input: value,
        path: ['suite'],
        message: 'send exactly one of "suite" (a registered name) and "inline_suite"',
      });
    }
    if (value.target && (value.adapter !== undefined || value.model !== undefined)) {
      issues.push({ code: 'custom', input: value, path: ['target'], message: 'send either "target" or "model" and "adapter", not both' });
    }
  })
  .meta({ id: 'RunRequest' });
export type RunRequest = z.output<typeof RunRequest>;

/** The target of a run request in its one long form. */
export function targetOfRun(request: RunRequest): TargetSpec {
  if (request.target) return request.target;
  return {
    kind: 'model',
    ...(request.model === undefined ? {} : { model: request.model }),
    ...(request.adapter === undefined ? {} : { adapter: request.adapter }),
  };
}
