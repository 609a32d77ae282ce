import { type OutcomeKind, type RawOutcome } from '@kiln/contracts';
import { type ApiClient } from './api-client.js';

const PAGE = 1000;

export interface OutcomesWanted {
  readonly jobId: string;
  /** Default: the first run. */
  readonly runIndex?: number | undefined;
  /** Default: every kind. */
  readonly kinds?: readonly OutcomeKind[] | undefined;
  /** How many at most; Infinity = all. */
  readonly most: number;
}

/** Answers of a run in suite order, a page at a time. `isAll` is false on the last page where there are more than were wanted. */
export async function* readOutcomes(
  client: Pick<ApiClient, 'call'>,
  { jobId, runIndex, kinds, most }: OutcomesWanted,
): AsyncGenerator<{ readonly outcomes: readonly RawOutcome[]; readonly isAll: boolean }> {
  let cursor: string | undefined;
  let missing = most;
  do {
    const query = { run_index: runIndex, kind: kinds, limit: Math.min(missing, PAGE), cursor };
    const { outcomes, next_cursor: next } = await client.call('listOutcomes', { params: { id: jobId }, query });
    missing -= outcomes.length;
    cursor = next ?? undefined;
    yield { outcomes, isAll: next === null };
  } while (cursor !== undefined && missing > 0);
}
