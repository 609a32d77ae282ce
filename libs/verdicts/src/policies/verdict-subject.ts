import { type JobState } from '@kiln/contracts';
import { type GateSide } from './gate-side.js';

/** What a verdict is about, whatever the policy. */
export interface VerdictSubject {
  readonly eval_job_id: string;
  /** How the job ended. */
  readonly job_state: JobState;
  /** null: there is no such run. */
  readonly baseline: GateSide | null;
  readonly candidate: GateSide | null;
}
