import { type FrozenModelTarget, type JsonObject, KilnError, type ReplayRecordHeader } from '@kiln/contracts';
import { type RepeatableJob } from '@kiln/database';
import { baseWeightManifest, executionProvenanceRecord, generationHash, ReplayRecorder } from '@kiln/provenance';
import { describe, expect, it } from 'vitest';
import { checkReplayable, type CurrentWorld, requireStrictRun, type StrictRun } from './check-replayable.js';

const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;

const TARGET: FrozenModelTarget = {
  kind: 'model',
  engine: 'onnx',
  model: 'tiny-arith',
  adapter: 'math-v2',
  model_digest: digest('a'),
  adapter_digest: digest('b'),
  tokenizer_digest: digest('c'),
  template_digest: digest('d'),
  pricing: { kind: 'free' },
};
const EXECUTION: JsonObject = { engine: 'kiln.onnx.v1', onnxruntime: '1.30.0', threads: 2 };
const SHARDS = [{ path: 'onnx/model.onnx', bytes: 9, sha256: digest('e') }];

function recordOf(flaws: string[]): ReplayRecordHeader {
  const recorder = new ReplayRecorder();
  return recorder.finish({
    suite: { name: 's', header: { name: 's' } as never, num_examples: 1 },
    selection: null,
    aggregation: { kind: 'single' },
    completions_per_example: 1,
    generation_override: null,
    effective_seed: '42',
    target: TARGET,
    suite_sha256: digest('1'),
    effective_generation_sha256: generationHash({ max_tokens: 8 }),
    judges: [],
    execution: executionProvenanceRecord(EXECUTION),
    weights: baseWeightManifest(TARGET, SHARDS),
    flaws,
  });
}

const RECORD = recordOf([]);

function jobOf(change: Partial<RepeatableJob> = {}, run: Partial<RepeatableJob['runs'][number]> = {}): RepeatableJob {
  return {
    id: 'job',
    projectId: 'project',
    kind: 'eval',
    state: 'completed',
    suiteVersionId: 'version',
    suiteName: 's',
    suiteHash: digest('1'),
    suiteHeader: { name: 's' } as never,
    suiteExampleCount: 1,
    aggregation: { kind: 'single' },
    generationOverride: null,
    thinkingDefaults: {},
    effectiveSeed: 42n,
    k: 1,
    exampleCount: 1,
    selection: null,
    costCap: null,
    tokenCap: null,
    concurrency: null,
    runs: [
      {
        id: 'run',
        index: 0,
        name: 'm',
        target: TARGET,
        targetHash: digest('2'),
        queue: 'q',
        effectiveGenerationHash: digest('3'),
        costBound: '0',
        tokenBound: '0',
        sourceRunId: null,
        scorer: null,
        judging: null,
        scoreQueue: null,
        replayRecord: RECORD,
        expectation: null,
        ...run,
      },
    ],
    ...change,
  };
}

const WORLD: CurrentWorld = {
  inputs: {
    suiteSha256: RECORD.suite_sha256,
    effectiveGenerationSha256: RECORD.effective_generation_sha256,
    settingsSha256: RECORD.settings.sha256,
  },
  files: { id: 'm', queue: 'q', weightShards: SHARDS, executions: [{ worker: 'host:1', provenance: { ...EXECUTION, threads: 8 } }] },
  published: TARGET,
  adapterDigest: TARGET.adapter_digest,
};

function refusal(check: () => unknown): KilnError {
  try {
    check();
  } catch (error) {
    if (error instanceof KilnError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('requireStrictRun', () => {
  it('gives the run of a completed job with a strict record', () => {
    expect(requireStrictRun(jobOf(), 0).id).toBe('run');
  });

  it.each<[string, RepeatableJob, number, string]>([
    ['a job that goes on', jobOf({ state: 'running' }), 0, 'id: the job is running'],
    ['a job that was capped', jobOf({ state: 'capped' }), 0, 'id: the job is capped'],
    ['a job that was cancelled', jobOf({ state: 'cancelled' }), 0, 'id: the job is cancelled'],
    ['a job that failed', jobOf({ state: 'failed' }), 0, 'id: the job is failed'],
    ['a rescore', jobOf({ kind: 'rescore' }), 0, 'id: the job is a rescore'],
    ['a run that is not there', jobOf(), 1, 'run_index: is 1, but the job has 1 runs'],
    ['a run without a record', jobOf({}, { replayRecord: null }), 0, 'run_index: the run has no replay record'],
    [
      'a run that is not strict',
      jobOf({}, { replayRecord: recordOf(['2 different executions generated parts of it']) }),
      0,
      'run_index: the run cannot be replayed strictly: 2 different executions',
    ],
  ])('refuses %s', (_what, job, index, message) => {
    expect(refusal(() => requireStrictRun(job, index))).toMatchObject({
      code: 'eval_invalid_request',
      status: 400,
      message: expect.stringContaining(message),
    });
  });
});

describe('checkReplayable', () => {
  const run = requireStrictRun(jobOf(), 0);
  const withRecord = (change: Partial<ReplayRecordHeader>): StrictRun => ({ ...run, replayRecord: { ...RECORD, ...change } });

  it('lets a run through that can be repeated, whatever the number of threads', () => {
    expect(() => checkReplayable(jobOf(), run, WORLD)).not.toThrow();
  });

  it.each<[string, Partial<CurrentWorld>, string]>([
    ['a changed suite', { inputs: { ...WORLD.inputs, suiteSha256: digest('9') } }, 'suite: the stored suite has the hash'],
    ['changed settings', { inputs: { ...WORLD.inputs, effectiveGenerationSha256: digest('9') } }, 'generation: '],
    ['a changed scorer', { inputs: { ...WORLD.inputs, settingsSha256: digest('9') } }, 'scorers: '],
    ['changed weights', { files: null, published: { ...TARGET, model_digest: digest('9') } }, 'model_digest: the weights or configuration'],
    ['a changed tokenizer', { files: null, published: { ...TARGET, tokenizer_digest: digest('9') } }, 'tokenizer_digest: the tokenizer'],
    [
      'a changed chat template',
      { files: null, published: { ...TARGET, template_digest: digest('9') } },
      'template_digest: the chat template',
    ],
    [
      'a model that nobody serves',
      { files: { ...WORLD.files!, executions: [] }, published: null },
      'no worker serves the model "tiny-arith"',
    ],
    ['other weight files', { files: { ...WORLD.files!, weightShards: [{ ...SHARDS[0]!, bytes: 8 }] } }, 'base_weight_manifest: '],
    ['a changed adapter', { adapterDigest: digest('9') }, 'adapter_digest: the adapter "math-v2" changed'],
    ['an adapter that is gone', { adapterDigest: null }, 'adapter: no worker publishes the adapter "math-v2"'],
    [
      'another runtime on one of the workers',
      {
        files: {
          ...WORLD.files!,
          executions: [...WORLD.files!.executions, { worker: 'host:2', provenance: { ...EXECUTION, onnxruntime: '1.30.1' } }],
        },
      },
      'execution_provenance: the worker host:2 executes the model otherwise: onnxruntime was "1.30.0" and is "1.30.1"',
    ],
  ])('refuses %s, and names it', (_what, change, message) => {
    const error = refusal(() => checkReplayable(jobOf(), run, { ...WORLD, ...change }));
    expect(error).toMatchObject({ code: 'eval_invalid_request', status: 400 });
    expect(error.message).toContain(message);
    expect(error.hint).toBeTruthy();
  });

  it('names the fields of a changed suite, and else its examples', () => {
    const now = { ...WORLD, inputs: { ...WORLD.inputs, suiteSha256: digest('9') } };
    const scorer = { kind: 'contains', phrases: ['1'] } as const;
    const job = jobOf({ suiteHeader: { name: 's', default_scorer: scorer } as never });
    expect(refusal(() => checkReplayable(job, run, now)).message).toContain(
      ': default_scorer was absent and is {"kind":"contains","phrases":["1"]}',
    );
    expect(refusal(() => checkReplayable(jobOf(), run, now)).message).toContain(': its examples are not those of the record');
  });

  it('refuses another seed', () => {
    expect(refusal(() => checkReplayable(jobOf({ effectiveSeed: 43n }), run, WORLD)).message).toContain('effective_seed');
  });

  it.each<[string, Partial<ReplayRecordHeader>]>([
    ['raw_completion_set_sha256', { raw_completion_set_sha256: digest('9') }],
    ['execution_provenance_sha256', { execution_provenance_sha256: digest('9') }],
    ['base_weight_manifest_sha256', { base_weight_manifest_sha256: digest('9') }],
    ['record_sha256', { suite_sha256: digest('9') }],
  ])('refuses a record whose %s is not that of its content', (field, change) => {
    expect(refusal(() => checkReplayable(jobOf(), withRecord(change), WORLD)).message).toContain(`damaged: its ${field}`);
  });
});
