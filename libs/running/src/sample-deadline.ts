import { type FrozenTarget } from '@kiln/contracts';

const USUAL_MS = 300_000;

/**
 * How long a worker gives one sample, from when it is started: five minutes, or as long as one answer of an endpoint may take
 * when that is longer. A sample that takes longer is an `error`, and an engine that hangs is killed then.
 *
 * @returns milliseconds
 */
export function sampleDeadlineMs(target: FrozenTarget): number {
  return target.kind === 'endpoint' ? Math.max(USUAL_MS, target.timeout_ms) : USUAL_MS;
}
