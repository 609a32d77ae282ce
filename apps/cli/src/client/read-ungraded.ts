import { type Job, type RawOutcome } from '@kiln/contracts';
import { type ApiClient } from './api-client.js';

/** Why samples of a run were not graded. */
export interface Ungraded {
  readonly runName: string;
  readonly kind: 'error' | 'invalid' | 'skipped';
  readonly reason: string;
  /** How many of the samples that were looked at. */
  readonly samples: number;
  readonly firstExampleId: string;
}

const KINDS = ['error', 'invalid', 'skipped'] as const;
/** Enough to know what goes wrong; reading all of a large job would take longer than the answer is worth. */
const LOOKED_AT = 200;

/** The reasons of errors, invalid answers and skips: of the first of each kind in every run of a finished job. */
export async function readUngraded(client: Pick<ApiClient, 'call'>, job: Job): Promise<Ungraded[]> {
  const found: Ungraded[] = [];
  if (job.finished_at === null) return found;
  for (const { index, name, metrics } of job.runs) {
    for (const kind of KINDS) {
      if (metrics === null || metrics.counts[kind] === 0) continue;
      const query = { run_index: index, kind: [kind], limit: LOOKED_AT };
      const { outcomes } = await client.call('listOutcomes', { params: { id: job.id }, query });
      for (const [reason, { samples, firstExampleId }] of byReason(outcomes))
        found.push({ runName: name, kind, reason, samples, firstExampleId });
    }
  }
  return found;
}

function byReason(outcomes: readonly RawOutcome[]): Map<string, { samples: number; readonly firstExampleId: string }> {
  const reasons = new Map<string, { samples: number; readonly firstExampleId: string }>();
  for (const outcome of outcomes) {
    const reason = reasonOf(outcome);
    const seen = reasons.get(reason) ?? { samples: 0, firstExampleId: outcome.example_id };
    seen.samples += 1;
    reasons.set(reason, seen);
  }
  return reasons;
}

function reasonOf({ detail }: RawOutcome): string {
  const { code, message, reason, why } = (detail ?? {}) as Readonly<Record<string, unknown>>;
  const parts = code === undefined ? [reason, why] : [code, message];
  return parts.filter((part) => typeof part === 'string' && part !== '').join(': ') || 'no reason given';
}
