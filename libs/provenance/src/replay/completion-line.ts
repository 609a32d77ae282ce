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
}

/** A completion as a line of a replay record. */
export function completionLine(completion: RecordedCompletion): ReplayCompletionLine {
  const { outcomeIndex, exampleId, completionIndex, seed, raw } = completion;
  const normalized = Buffer.from(completion.normalized, 'utf8');
  return {
    type: 'raw_completion',
    outcome_index: outcomeIndex,
    example_id: exampleId,
    completion_index: completionIndex,
    generation_seed: seed.toString(),
    raw_completion_pointer: `/outcomes/${outcomeIndex}/raw_completion_text`,
    raw_sha256: `sha256:${sha256Hex(raw)}`,
    raw_bytes: raw.byteLength,
    normalized_sha256: `sha256:${sha256Hex(normalized)}`,
    normalized_bytes: normalized.byteLength,
  };
}
