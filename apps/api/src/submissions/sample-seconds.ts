import { type FrozenTarget } from '@kiln/contracts';

/** What one token takes a local model on a CPU, roughly: a guess that only sizes shards. */
const SECONDS_PER_TOKEN = 0.002;
/** Answers rarely use all the tokens they may. */
const USUAL_SHARE = 0.25;

/**
 * How long a sample will take, for sizing shards: too high makes more leases than needed, too low makes long ones. Nothing
 * depends on it but that.
 *
 * @returns seconds, from 0.001 to 2
 */
export function expectedSampleSeconds(target: FrozenTarget, maxTokens: number): number {
  if (target.kind === 'endpoint') return Math.min(2, 1 / target.concurrency);
  if (target.engine === 'echo') return 0.001;
  return Math.min(2, Math.max(0.01, maxTokens * USUAL_SHARE * SECONDS_PER_TOKEN));
}
