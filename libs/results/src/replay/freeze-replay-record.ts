import { type ReplayRecordHeader } from '@kiln/contracts';
import { type Database, findModelFiles, type RepeatableJob, type RepeatableRun, type ReplayRow } from '@kiln/database';
import { baseWeightManifest, ReplayRecorder, strictnessFlaws } from '@kiln/provenance';
import { executionsOf } from './executions-of.js';
import { exampleSettingsLine, storedCompletionLine } from './record-lines.js';
import { replayPages } from './replay-rows.js';
import { ScorerIdentities } from './scorer-identities.js';

/**
 * Makes the header of a completed run's replay record from its stored rows: one pass over its texts, which are hashed and not kept.
 * Writes nothing. Null for a rescore, which generates nothing that could be replayed.
 */
export async function freezeReplayRecord(db: Database, job: RepeatableJob, run: RepeatableRun): Promise<ReplayRecordHeader | null> {
  if (run.sourceRunId !== null) return null;
  const recorder = new ReplayRecorder();
  const scorers = new ScorerIdentities(db);
  const tally = new CompletionTally();
  let ordinal = -1;
  for await (const page of replayPages(db, { runId: run.id, suiteVersionId: job.suiteVersionId })) {
    await scorers.load(page.map(({ scorerId }) => scorerId));
    for (const row of page) {
      if (row.ordinal !== ordinal) {
        ordinal = row.ordinal;
        recorder.addSettings(
          exampleSettingsLine(job, { key: row.exampleKey, generation: row.exampleGeneration }, scorers.get(row.scorerId)),
        );
      }
      const line = storedCompletionLine(job, row, tally.rows);
      tally.add(row);
      if (line !== null) recorder.addCompletion(line);
    }
  }
  const executions = await executionsOf(db, tally.provenances);
  const files = run.target.kind === 'model' ? await findModelFiles(db, run.target) : null;
  return recorder.finish({
    suite: { name: job.suiteName, header: job.suiteHeader, num_examples: job.exampleCount },
    selection: job.selection,
    aggregation: job.aggregation,
    completions_per_example: job.k,
    generation_override: job.generationOverride,
    effective_seed: job.effectiveSeed.toString(),
    target: run.target,
    suite_sha256: job.suiteHash,
    effective_generation_sha256: run.effectiveGenerationHash,
    judges: Object.values(run.judging?.targets ?? {}),
    execution: executions.size === 1 ? [...executions.values()][0]! : null,
    weights: run.target.kind === 'model' ? baseWeightManifest(run.target, files?.weightShards ?? null) : null,
    flaws: strictnessFlaws({ target: run.target, samples: job.exampleCount * job.k, executions: executions.size, ...tally.facts }),
  });
}

/** Counts what decides whether a run can be replayed. */
class CompletionTally {
  readonly provenances = new Set<number>();
  /** Outcomes so far. */
  rows = 0;
  #stored = 0;
  #unattributed = 0;
  #endedByTime = 0;

  get facts(): { stored: number; unattributed: number; endedByTime: number } {
    return { stored: this.#stored, unattributed: this.#unattributed, endedByTime: this.#endedByTime };
  }

  add({ trace }: ReplayRow): void {
    this.rows += 1;
    if (trace === null) return;
    this.#stored += 1;
    if (trace.endedByTime && trace.timeUpAt === null) this.#endedByTime += 1;
    if (trace.provenanceId === null) this.#unattributed += 1;
    else this.provenances.add(trace.provenanceId);
  }
}
