import { type Verdict } from '@kiln/contracts';

/**
 * A verdict in one line, with a second one where a good verdict hides a category that regressed. The word is the policy's
 * own; where errors block it, or nothing could be decided, it is the gate's.
 *
 * @example
 *   'upgrade: judge win-rate 62% over 45 judged pair(s) meets the 55% threshold, and no objective gate regressed\n' +
 *   '  ↳ wins overall; regresses on tool_heavy'
 */
export function verdictLine(verdict: Verdict): string {
  const { evidence, outcome, reason } = verdict;
  const blocked = evidence !== null && evidence.outcome !== outcome;
  const own =
    evidence === null || !('decision' in evidence)
      ? outcome
      : evidence.decision === 'not_comparable'
        ? 'not comparable'
        : evidence.decision;
  const line = `${blocked ? outcome : own}: ${reason}`;
  const note = evidence?.policy_version === 'objective_gates_v1' && !blocked ? evidence.divergence : null;
  return note === null ? line : `${line}\n  ↳ ${note}`;
}
