import { type JobState, type ReplayDifference, type ReplayExpectation, type ReplayVerdict } from '@kiln/contracts';
import { type Database, findRepeatableJob, type RepeatableJob, type ReplayRow } from '@kiln/database';
import { RawCompletionSet } from '@kiln/provenance';
import { executionsOf } from './executions-of.js';
import { storedCompletionLine } from './record-lines.js';
import { replayDifference } from './replay-difference.js';
import { replayRows } from './replay-rows.js';

/**
 * Compares a replay that has ended with the run that it repeats, completion by completion, token by token and byte by byte, and counts
 * all that differ. Writes nothing.
 *
 * @param state in which the replay ends
 */
export async function compareReplay(
  db: Database,
  replay: RepeatableJob,
  expectation: ReplayExpectation,
  state: JobState,
): Promise<ReplayVerdict> {
  const error = (reason: string): ReplayVerdict => ({ ...NOTHING_COMPARED, ...referenceOf(expectation), reason });
  if (state !== 'completed') return error(`the replay was ${state} before its end`);
  const source = await findRepeatableJob(db, replay.projectId, expectation.source_job_id);
  if (source === null) return error('the job that was repeated is gone');
  const comparison = new Comparison(source, replay);
  const sides = [
    replayRows(db, { runId: expectation.source_run_id, suiteVersionId: source.suiteVersionId }),
    replayRows(db, { runId: replay.runs[0]!.id, suiteVersionId: replay.suiteVersionId }),
  ] as const;
  for (;;) {
    const [expected, actual] = await Promise.all(sides.map((side) => side.next()));
    if (expected!.done === true && actual!.done === true) break;
    const failure = comparison.add(expected!.value ?? null, actual!.value ?? null);
    if (failure !== null) return error(failure);
  }
  const executions = [...(await executionsOf(db, comparison.provenances)).keys()];
  if (executions.length !== 1 || executions[0] !== expectation.execution_provenance_sha256) {
    return error(
      'another execution (runtime, versions or hardware) generated the replay than the record names: a worker changed meanwhile',
    );
  }
  return { ...comparison.finish(expectation), ...referenceOf(expectation) };
}

const NOTHING_COMPARED = {
  status: 'error',
  expected_sha256: null,
  actual_sha256: null,
  source_changed: false,
  samples_compared: 0,
  samples_different: 0,
  first_difference: null,
} as const;

type Reference = Pick<ReplayVerdict, 'source_job_id' | 'source_run_index' | 'record_sha256'>;

function referenceOf({ source_job_id, source_run_index, record_sha256 }: ReplayExpectation): Reference {
  return { source_job_id, source_run_index, record_sha256 };
}

/** Two runs side by side. */
class Comparison {
  readonly provenances = new Set<number>();
  readonly #expected = new RawCompletionSet();
  readonly #actual = new RawCompletionSet();
  #compared = 0;
  #different = 0;
  #first: ReplayDifference | null = null;

  constructor(
    private readonly source: RepeatableJob,
    private readonly replay: RepeatableJob,
  ) {}

  /**
   * Takes the next completion of each side; null where a side has no more.
   *
   * @returns why nothing is comparable, or null
   */
  add(expected: ReplayRow | null, actual: ReplayRow | null): string | null {
    if (expected === null || actual === null) return 'the runs have different numbers of completions';
    const name = `completion ${expected.completionIndex} of example ${JSON.stringify(expected.exampleKey)}`;
    if (expected.ordinal !== actual.ordinal || expected.completionIndex !== actual.completionIndex)
      return `${name} is missing in the replay`;
    if (expected.trace === null) return `${name} has no stored text any more`;
    if (actual.trace === null) return `${name} was not generated: ${actual.errorCode ?? 'error'}: ${actual.errorMessage ?? ''}`;
    if (actual.trace.provenanceId !== null) this.provenances.add(actual.trace.provenanceId);
    this.#expected.add(storedCompletionLine(this.source, expected, this.#compared)!);
    this.#actual.add(storedCompletionLine(this.replay, actual, this.#compared)!);
    const difference = replayDifference(expected, actual, this.#compared);
    if (difference === 'damaged') return `the stored tokens of ${name} are damaged`;
    if (difference !== null) {
      this.#different += 1;
      this.#first ??= difference;
    }
    this.#compared += 1;
    return null;
  }

  finish({ raw_completion_set_sha256: recorded }: ReplayExpectation): Omit<ReplayVerdict, keyof Reference> {
    const expected = this.#expected.finish().sha256;
    const actual = this.#actual.finish().sha256;
    return {
      status: expected === actual && this.#different === 0 ? 'matched' : 'mismatch',
      expected_sha256: expected,
      actual_sha256: actual,
      source_changed: expected !== recorded,
      samples_compared: this.#compared,
      samples_different: this.#different,
      first_difference: this.#first,
      reason: null,
    };
  }
}
