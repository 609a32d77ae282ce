import { aggregationLabel, type FrozenTarget } from '@kiln/contracts';
import { type FinishingJob } from '@kiln/database';
import { type GateSide } from '@kiln/verdicts';
import { type RunReducer } from './run-reducer.js';

/** What a verdict says of one side's inputs. */
export function gateSide(job: FinishingJob, { identity, run }: RunReducer): GateSide {
  return {
    run_index: identity.run_index,
    suite_name: job.suiteName,
    suite_hash: job.suiteHash,
    effective_generation_hash: run.effectiveGenerationHash,
    aggregation: aggregationLabel(job.aggregation),
    adapter: identity.adapter,
    project: job.projectId,
    target_hash: run.targetHash,
    provider: providerOf(run.target),
    reps: job.k,
  };
}

/** The engine of a model, or the address of an endpoint without what may be secret in it. */
function providerOf(target: FrozenTarget): string {
  return target.kind === 'model' ? target.engine : new URL(target.base_url).origin;
}
