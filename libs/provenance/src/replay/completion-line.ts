import { type ReplayCompletionLine } from '@kiln/contracts';
import { sha256Hex } from '../sha256.js';

/** One completion of a run, as it was generated and as it is scored. */
export interface RecordedCompletion {
  outcomeIndex: number;
  exampleId: string;
  completionIndex: number;
  /** Derived: u64. */
  seed: bigint;
  /** The decoder's bytes. */
  raw: Uint8Array;
  /** The answer: what scorers read. */
  normalized: string;
  /** Tokens at which a limit in time ended the reasoning; null when none did. */
  timeUpAt: number | null;
}

/** A completion as a line of a replay record; its keys are in order. */
export function completionLine(completion: RecordedCompletion): ReplayCompletionLine {
  const { outcomeIndex, exampleId, completionIndex, seed, raw } = completion;
  const rawDigest = `sha256:${sha256Hex(raw)}`;
  const normalized = Buffer.from(completion.normalized, 'utf8');
  return {
    completion_index: completionIndex,
    example_id: exampleId,
    generation_seed: seed.toString(),
    normalized_bytes: normalized.byteLength,
    // Where nothing was thought and all is text, both are the same bytes.
    normalized_sha256: normalized.equals(raw) ? rawDigest : `sha256:${sha256Hex(normalized)}`,
    outcome_index: outcomeIndex,
    raw_bytes: raw.byteLength,
    raw_completion_pointer: `/outcomes/${outcomeIndex}/raw_completion_text`,
    raw_sha256: rawDigest,
    thinking_time_up_at: completion.timeUpAt,
    type: 'raw_completion',
  };
}
