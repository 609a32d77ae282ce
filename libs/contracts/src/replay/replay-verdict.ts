import { z } from 'zod';
import { Digest } from '../scalars/digest.js';

const Count = z.int().min(0);

const Byte = z.int().min(0).max(255).nullable();
const TokenId = z.int().min(0).nullable();
const TokenIds = z.array(z.int().min(0)).nullable();

/** Where a replay first differs from the run that it repeats: in its tokens, and in its bytes. */
export const ReplayDifference = z
  .object({
    outcome_index: Count,
    raw_completion_pointer: z.string(),
    example_id: z.string(),
    completion_index: Count,
    form: z.enum(['raw', 'tokens', 'normalized']).meta({
      description:
        '`raw`: the bytes as generated differ. `tokens`: only the tokens do, which come to the same bytes. `normalized`: only the answer that is read from the bytes does.',
    }),
    token: Count.nullable().meta({
      description: 'Index of the first token that differs. null = none does, or it is not stored on both sides which tokens there were.',
    }),
    expected_token: TokenId.meta({ description: 'Its id. null = the tokens of the source end here.' }),
    actual_token: TokenId.meta({ description: 'null = the tokens of the replay end here.' }),
    expected_tokens: TokenIds.meta({ description: 'The ids around the token, in the source. null = no token differs.' }),
    actual_tokens: TokenIds,
    byte: Count.nullable().meta({
      description: 'Offset of the first byte that differs, in the text that `form` names. null = only tokens do.',
    }),
    expected_byte: Byte.meta({ description: 'null = the text of the source ends here.' }),
    actual_byte: Byte.meta({ description: 'null = the text of the replay ends here.' }),
    expected_context: z.string().nullable().meta({ description: 'The text around the byte, in the source. null = no byte differs.' }),
    actual_context: z.string().nullable(),
  })
  .meta({ id: 'ReplayDifference' });
export type ReplayDifference = z.infer<typeof ReplayDifference>;

/** What a replay came to. */
export const ReplayVerdict = z
  .object({
    status: z.enum(['matched', 'mismatch', 'error']).meta({
      description:
        '`matched`: every completion has the same bytes and, where both sides store them, the same tokens. `mismatch`: it ran to its end, and some differ. `error`: there is nothing comparable; see `reason`.',
    }),
    source_job_id: z.string(),
    source_run_index: Count,
    record_sha256: Digest.meta({ description: 'The record of the run that was repeated.' }),
    expected_sha256: Digest.nullable().meta({
      description: 'raw_completion_set_sha256 of the source as it is stored now. null with `error`.',
    }),
    actual_sha256: Digest.nullable().meta({
      description:
        'raw_completion_set_sha256 of the replay. null with `error`. With `mismatch` it is the expected one where only tokens differ.',
    }),
    source_changed: z.boolean().meta({ description: 'The stored texts of the source no longer give the digest in its record.' }),
    samples_compared: Count,
    samples_different: Count,
    first_difference: ReplayDifference.nullable(),
    reason: z.string().nullable().meta({ description: 'Why there is nothing comparable.' }),
  })
  .check(({ value, issues }) => {
    const message = verdictFlaw(value);
    if (message !== null) issues.push({ code: 'custom', input: value.status, path: ['status'], message });
  })
  .meta({ id: 'ReplayVerdict' });
export type ReplayVerdict = z.infer<typeof ReplayVerdict>;

interface Compared extends Record<'status' | 'expected_sha256' | 'actual_sha256', string | null> {
  first_difference: ReplayDifference | null;
}

function verdictFlaw({ status, expected_sha256: expected, actual_sha256: actual, first_difference: difference }: Compared): string | null {
  if (status === 'error') return null;
  if (expected === null || actual === null) return 'needs both digests';
  if (status === 'matched') return expected === actual && difference === null ? null : 'says matched, but something differs';
  // The digests are of bytes.
  return difference !== null && (expected !== actual || difference.form === 'tokens') ? null : 'says mismatch, but nothing differs';
}
