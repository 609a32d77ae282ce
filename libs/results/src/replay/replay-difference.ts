import { type ReplayDifference } from '@kiln/contracts';
import { type ReplayRow, type ReplayTrace } from '@kiln/database';
import { decodeTokenIds, firstDifference, firstTokenDifference, type TokenDifference } from '@kiln/provenance';
import { traceTexts } from '@kiln/scoring';

/**
 * Where a completion of a replay differs from the one that it repeats: first in its tokens, then in its bytes, then in the answer that is
 * read from them. Where one side has no token ids (an earlier version stored none), its bytes have to say it.
 *
 * @param expected and `actual` the same completion, generated in both
 * @param outcomeIndex its place among the outcomes of the run
 * @returns null when they are equal; `damaged` when one side holds bytes that are no token ids
 */
export function replayDifference(expected: ReplayRow, actual: ReplayRow, outcomeIndex: number): ReplayDifference | 'damaged' | null {
  const [source, replay] = [expected.trace!, actual.trace!];
  const token = tokenDifference(source, replay);
  if (token === 'damaged') return token;
  const raw = firstDifference(source.raw, replay.raw);
  // The same tokens were turned into other bytes, or stored bytes were changed, or the answer was cut out of them elsewhere.
  const text = raw ?? (token === null ? firstDifference(answerBytes(source), answerBytes(replay)) : null);
  if (token === null && text === null) return null;
  return {
    outcome_index: outcomeIndex,
    raw_completion_pointer: `/outcomes/${outcomeIndex}/raw_completion_text`,
    example_id: expected.exampleKey,
    completion_index: expected.completionIndex,
    form: raw !== null ? 'raw' : token !== null ? 'tokens' : 'normalized',
    token: token?.token ?? null,
    expected_token: token?.expected ?? null,
    actual_token: token?.actual ?? null,
    expected_tokens: token?.expectedContext ?? null,
    actual_tokens: token?.actualContext ?? null,
    byte: text?.byte ?? null,
    expected_byte: text?.expected ?? null,
    actual_byte: text?.actual ?? null,
    expected_context: text?.expectedContext ?? null,
    actual_context: text?.actualContext ?? null,
  };
}

function tokenDifference({ tokenIds: expected }: ReplayTrace, { tokenIds: actual }: ReplayTrace): TokenDifference | 'damaged' | null {
  // Equal bytes are equal ids: most are never read.
  if (expected === null || actual === null || expected.equals(actual)) return null;
  const [expectedIds, actualIds] = [decodeTokenIds(expected), decodeTokenIds(actual)];
  return expectedIds === null || actualIds === null ? 'damaged' : firstTokenDifference(expectedIds, actualIds);
}

function answerBytes(trace: ReplayTrace): Uint8Array {
  return Buffer.from(traceTexts(trace).text);
}
