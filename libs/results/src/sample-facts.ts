import { nanoUsd } from '@kiln/contracts';
import { type PageOutcome } from '@kiln/database';
import { type SampleFacts } from '@kiln/verdicts';

/**
 * A raw outcome as policies see it. An error without a trace consumed nothing that is known: on a free target that was
 * nothing, elsewhere nobody can say.
 *
 * @param free the target costs nothing.
 */
export function sampleFacts(row: PageOutcome, free: boolean): SampleFacts {
  const traced = row.latencyMs !== null;
  return {
    completion_index: row.completionIndex,
    kind: row.kind,
    rounds: row.rounds,
    cost: row.cost !== null ? nanoUsd(row.cost) : !traced && free ? 0n : null,
    latency_ms: row.latencyMs,
    tokens: traced || free ? row.promptTokens + row.completionTokens : null,
    stop_reason: row.stopReason,
    tool_calls: null,
  };
}
