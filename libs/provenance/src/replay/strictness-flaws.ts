import { type FrozenTarget } from '@kiln/contracts';

/** What decides whether a run can be replayed byte for byte. */
export interface StrictnessFacts {
  target: FrozenTarget;
  /** Examples × completions, and how many of them have their text stored. */
  samples: number;
  stored: number;
  /** How many different executions, by their pinned facts, made the texts; 0 when none is recorded. */
  executions: number;
  /** Texts without a record of what executed them. */
  unattributed: number;
  /** Completions whose reasoning a limit of time ended, nobody knows after how many tokens: that depends on the machine's load. */
  endedByTime: number;
}

/** Why a run cannot be replayed strictly; empty when it can. */
export function strictnessFlaws(conditions: StrictnessFacts): string[] {
  const { target, samples, stored, executions, unattributed, endedByTime } = conditions;
  if (target.kind === 'endpoint') return ['the target is an endpoint: nobody can pin what answers there'];
  const reasons: string[] = [];
  if (stored < samples) reasons.push(`${samples - stored} of ${samples} completions have no stored text, because they ended as errors`);
  if (unattributed > 0) reasons.push(`${unattributed} completions have no record of what executed them`);
  if (executions > 1) reasons.push(`${executions} different executions (runtime, versions or hardware) generated parts of it`);
  if (endedByTime > 0)
    reasons.push(`a limit of time ended the reasoning of ${endedByTime} completions, and it is not recorded after how many tokens`);
  return reasons;
}
