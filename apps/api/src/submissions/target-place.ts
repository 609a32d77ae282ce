import { type CompareRequest, type RunRequest, type TargetSpec } from '@kiln/contracts';

/** Where the parts of a target were written in a request, for messages. */
export interface TargetPlace {
  kind: string;
  model: string;
  adapter: string;
  apiKeyEnv: string;
}

export function placeInRun(request: Pick<RunRequest, 'target'>): TargetPlace {
  return request.target === undefined ? { kind: 'target', model: 'model', adapter: 'adapter', apiKeyEnv: 'target' } : within('target');
}

/** @param spec one of `targetsOfCompare(request)`; an adapter that `baseline` added is at `baseline` */
export function placeInCompare(request: Pick<CompareRequest, 'targets' | 'adapters'>, spec: TargetSpec): TargetPlace {
  const written = request.targets?.indexOf(spec) ?? -1;
  if (written >= 0) return within(`targets[${written}]`);
  const index = spec.kind === 'model' ? (request.adapters?.indexOf(spec.adapter ?? '') ?? -1) : -1;
  const adapter = index >= 0 ? `adapters[${index}]` : 'baseline';
  return { kind: adapter, model: 'model', adapter, apiKeyEnv: adapter };
}

function within(path: string): TargetPlace {
  return { kind: `${path}.kind`, model: `${path}.model`, adapter: `${path}.adapter`, apiKeyEnv: `${path}.api_key_env` };
}
