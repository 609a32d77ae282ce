import { type LiveChild } from './live-child.js';

export interface HangLimits {
  /** How much longer than a sample's deadline a child may be silent. */
  hangGraceMs: number;
  /** Longest time for a child to come up, and for a target to load. */
  loadTimeoutMs: number;
}

/**
 * Whether a child has hung: a sample's deadline and the grace have passed since the sample was sent and since the child was last
 * heard of. While it loads a target, which blocks it, the time limit of loads holds instead.
 * @param now milliseconds of `performance.now()`.
 */
export function isHung({ process, credits, calls, cancelled }: LiveChild, limits: HangLimits, now: number): boolean {
  const loadingSince = credits === 0 ? process.startedAt : process.oldestRequestAt;
  if (loadingSince !== null) return now - loadingSince > limits.loadTimeoutMs;
  const held = [...calls.values(), ...[...cancelled.values()].map(({ call }) => call)];
  return held.some((call) => call.isOverdue(now, process.lastHeardAt, limits.hangGraceMs));
}
