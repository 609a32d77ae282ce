import { z } from 'zod';
import { Digest } from '../scalars/digest.js';

const Count = z.int().min(0);

/** Where a replay first differs from the run that it repeats. */
export const ReplayDifference = z
  .object({
    outcome_index: Count,
    raw_completion_pointer: z.string(),
    example_id: z.string(),
    completion_index: Count,
    form: z.enum(['raw', 'normalized']).meta({ description: 'Which bytes differ; normalized only when the raw ones are equal.' }),
    byte: Count.meta({ description: 'Offset of the first byte that differs.' }),
    expected_byte: z.int().min(0).max(255).nullable().meta({ description: 'null = the text of the source ends here.' }),
    actual_byte: z.int().min(0).max(255).nullable().meta({ description: 'null = the text of the replay ends here.' }),
    expected_context: z.string().meta({ description: 'The text around the byte, in the source.' }),
    actual_context: z.string(),
  })
  .meta({ id: 'ReplayDifference' });
export type ReplayDifference = z.infer<typeof ReplayDifference>;

/** What a replay came to. */
export const ReplayVerdict = z
  .object({
    status: z.enum(['matched', 'mismatch', 'error']).meta({
      description:
        '`matched`: every completion has the same bytes. `mismatch`: it ran to its end, and some differ. `error`: there is nothing comparable; see `reason`.',
    }),
    source_job_id: z.string(),
    source_run_index: Count,
    record_sha256: Digest.meta({ description: 'The record of the run that was repeated.' }),
    expected_sha256: Digest.nullable().meta({
      description: 'raw_completion_set_sha256 of the source as it is stored now. null with `error`.',
    }),
    actual_sha256: Digest.nullable().meta({ description: 'raw_completion_set_sha256 of the replay. null with `error`.' }),
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

type Compared = Record<'status' | 'expected_sha256' | 'actual_sha256', string | null> & { first_difference: unknown };

function verdictFlaw({ status, expected_sha256: expected, actual_sha256: actual, first_difference: difference }: Compared): string | null {
  if (status === 'error') return null;
  if (expected === null || actual === null) return 'needs both digests';
  if (status === 'matched') return expected === actual && difference === null ? null : 'says matched, but something differs';
  return expected !== actual && difference !== null ? null : 'says mismatch, but nothing differs';
}
