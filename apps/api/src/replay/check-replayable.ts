import { type FrozenModelTarget, type JsonObject, KilnError, type ReplayRecordHeader } from '@kiln/contracts';
import { type PublishedModelFiles, type RepeatableJob, type RepeatableRun } from '@kiln/database';
import {
  baseWeightManifest,
  baseWeightManifestHash,
  differingFields,
  executionProvenanceHash,
  executionProvenanceRecord,
  verifyReplayRecord,
} from '@kiln/provenance';
import { type CurrentInputs } from '@kiln/results';

/** A run that can be replayed, as far as its own record says. */
export type StrictRun = RepeatableRun & { target: FrozenModelTarget; replayRecord: ReplayRecordHeader };

/**
 * The run of a job that a replay repeats.
 *
 * @throws KilnError `eval_invalid_request` when the job was not completed, has no such run, or the run is not strict
 */
export function requireStrictRun(job: RepeatableJob, runIndex: number): StrictRun {
  if (job.kind === 'rescore') {
    throw refused('id', 'the job is a rescore, which generates nothing', 'Replay the job whose traces it scores.');
  }
  if (job.state !== 'completed') {
    throw refused('id', `the job is ${job.state}: only a completed job can be replayed`, 'Wait for its end, or run it again.');
  }
  const run = job.runs[runIndex];
  if (run === undefined) {
    throw refused('run_index', `is ${runIndex}, but the job has ${job.runs.length} runs`, `Use 0 to ${job.runs.length - 1}.`);
  }
  const { target, replayRecord } = run;
  if (replayRecord === null) {
    throw refused('run_index', 'the run has no replay record: it was completed before there were any', 'Run it again; new runs have one.');
  }
  if (target.kind !== 'model' || !replayRecord.strict) {
    const why = replayRecord.not_strict_because.join('; ');
    throw refused('run_index', `the run cannot be replayed strictly: ${why}`, 'Run it again, and replay the new job.');
  }
  return { ...run, target, replayRecord };
}

/** What the world is now, beside the record. */
export interface CurrentWorld {
  inputs: CurrentInputs;
  /** Of the record's digests; null when no worker ever published them. */
  files: PublishedModelFiles | null;
  /** What is published under the model's name now, when that is something else; for the message. */
  published: Pick<FrozenModelTarget, 'model_digest' | 'tokenizer_digest' | 'template_digest'> | null;
  /** Digest of the adapter of that name now; null when there is none. */
  adapterDigest: string | null;
}

/**
 * Refuses a replay that could not match: one of what a record pins is no longer what it was.
 *
 * @throws KilnError `eval_invalid_request` that names it
 */
export function checkReplayable(job: RepeatableJob, run: StrictRun, now: CurrentWorld): void {
  const { replayRecord: record } = run;
  const forged = verifyReplayRecord(record);
  if (forged !== null) throw drift(`the stored replay record is damaged: its ${forged} does not follow from its content`);
  checkInputs(job, record, now.inputs);
  checkFiles(run, now);
  checkAdapter(run.target, now.adapterDigest);
  checkExecutions(record, now.files!);
}

function checkInputs(job: RepeatableJob, record: ReplayRecordHeader, inputs: CurrentInputs): void {
  if (record.effective_seed !== job.effectiveSeed.toString()) throw drift('effective_seed: the job’s seed is not the one of its record');
  if (record.suite_sha256 !== inputs.suiteSha256) {
    const changed = changes(record.suite.header, job.suiteHeader) || 'its examples are not those of the record';
    throw drift(`suite: the stored suite has the hash ${inputs.suiteSha256}, the record says ${record.suite_sha256}: ${changed}`);
  }
  if (record.effective_generation_sha256 !== inputs.effectiveGenerationSha256) {
    throw drift('generation: the settings are not those of the record');
  }
  if (record.settings.sha256 !== inputs.settingsSha256) {
    throw drift('scorers: the configuration or version of a scorer, or a thinking budget, is not the one of the record');
  }
}

function checkFiles({ target, replayRecord: record }: StrictRun, { files, published }: CurrentWorld): void {
  if (files === null || files.executions.length === 0) {
    const changed = published && DIGESTS.find(([field]) => published[field] !== target[field]);
    if (!changed) throw drift(`no worker serves the model "${target.model}" just now`, 'Start a worker that has it.');
    const [field, what] = changed;
    throw drift(
      `${field}: the ${what} of the model "${target.model}" changed: workers publish ${published[field]}, the record says ${target[field]}`,
    );
  }
  const manifest = baseWeightManifest(target, files.weightShards);
  if (record.base_weight_manifest_sha256 !== baseWeightManifestHash(manifest)) {
    throw drift('base_weight_manifest: the weight files that workers publish are not those of the record');
  }
}

const DIGESTS = [
  ['model_digest', 'weights or configuration'],
  ['tokenizer_digest', 'tokenizer'],
  ['template_digest', 'chat template'],
] as const;

function checkAdapter({ model, adapter, adapter_digest: recorded }: FrozenModelTarget, now: string | null): void {
  if (adapter === null || recorded === now) return;
  if (now === null) throw drift(`adapter: no worker publishes the adapter "${adapter}" of the model "${model}"`);
  throw drift(`adapter_digest: the adapter "${adapter}" changed: workers publish ${now}, the record says ${recorded}`);
}

/** Every worker that could take a shard must execute it as it was: nobody can say which one will. */
function checkExecutions(record: ReplayRecordHeader, { executions }: PublishedModelFiles): void {
  for (const { worker, provenance } of executions) {
    const published = executionProvenanceRecord(provenance);
    if (executionProvenanceHash(published) === record.execution_provenance_sha256) continue;
    throw drift(
      `execution_provenance: the worker ${worker} executes the model otherwise: ${changes(record.execution_provenance!.pinned, published.pinned)}`,
      'Let only workers serve the model that run what the record names.',
    );
  }
}

/** The fields in which two objects differ, for the message; empty when there are none. */
function changes(recorded: object, now: object): string {
  return differingFields(recorded as JsonObject, now as JsonObject)
    .map(({ field, expected, actual }) => `${field} was ${expected ?? 'absent'} and is ${actual ?? 'absent'}`)
    .join('; ');
}

function drift(message: string, hint = 'What ran then cannot be repeated; run the job again under what is there now.'): KilnError {
  return new KilnError('eval_invalid_request', message, { hint });
}

function refused(path: string, message: string, hint: string): KilnError {
  return new KilnError('eval_invalid_request', `${path}: ${message}`, { path, hint });
}
