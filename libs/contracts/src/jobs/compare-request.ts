import { z } from 'zod';
import { Text, nonBlankText } from '../scalars/text.js';
import { SuiteName } from '../suites/suite-name.js';
import { TargetSpec } from '../targets/target-spec.js';
import { GateRequest } from './gate-request.js';
import { jobOptions, TraceReuse } from './job-options.js';

export const MAX_TARGETS = 8;

const fields = z.object({
  suite: SuiteName,
  model: nonBlankText(200).exactOptional().meta({ description: 'The model of `adapters`; omitted = the server’s default model.' }),
  adapters: z.array(Text.max(200)).min(1).max(MAX_TARGETS).exactOptional().meta({ description: '"" = the base model.' }),
  targets: z.array(TargetSpec).min(1).max(MAX_TARGETS).exactOptional(),
  baseline: Text.max(200).exactOptional().meta({
    description:
      'The adapter or target name that the others are compared with; default: the first. An adapter that is not listed is added in front.',
  }),
  gate: GateRequest.exactOptional(),
  ...jobOptions,
  reuse: TraceReuse,
});

/** Evaluate several targets on one registered suite with one seed, and compare each with the baseline. */
export const CompareRequest = fields
  .check(({ value, issues }) => {
    for (const { path, message } of flaws(value)) issues.push({ code: 'custom', input: value, path, message });
  })
  .meta({ id: 'CompareRequest' });
export type CompareRequest = z.output<typeof CompareRequest>;

function flaws(request: z.output<typeof fields>): { path: (string | number)[]; message: string }[] {
  const { adapters, targets, baseline, model } = request;
  if ((adapters === undefined) === (targets === undefined)) {
    return [{ path: ['adapters'], message: 'send exactly one of "adapters" and "targets"' }];
  }
  if (targets && model !== undefined) return [{ path: ['model'], message: 'belongs to "adapters"; each target names its own model' }];
  const names: (string | undefined)[] = adapters ?? (targets ?? []).map((target) => target.name);
  const listed = adapters ? 'adapters' : 'targets';
  const twice = names.findIndex((name, index) => name !== undefined && names.indexOf(name) !== index);
  if (twice >= 0)
    return [
      { path: [listed, twice], message: `${JSON.stringify(names[twice])} is listed twice; remove it or give the targets different names` },
    ];
  if (baseline === undefined || names.includes(baseline)) return [];
  if (targets) return [{ path: ['baseline'], message: `no target is named ${JSON.stringify(baseline)}` }];
  return names.length < MAX_TARGETS
    ? []
    : [{ path: ['baseline'], message: `is not listed, and adding it would make more than ${MAX_TARGETS} adapters; remove one` }];
}

/** The targets of a compare in their one long form, the baseline first and the others in the order written. */
export function targetsOfCompare(request: CompareRequest): TargetSpec[] {
  const { baseline } = request;
  if (request.targets) {
    const { targets } = request;
    const first = baseline === undefined ? targets[0] : targets.find((target) => target.name === baseline);
    return first ? [first, ...targets.filter((target) => target !== first)] : targets;
  }
  const adapters = request.adapters ?? [];
  const ordered = baseline === undefined ? adapters : [baseline, ...adapters.filter((adapter) => adapter !== baseline)];
  return ordered.map((adapter) => ({ kind: 'model', ...(request.model === undefined ? {} : { model: request.model }), adapter }));
}
