import { type JsonObject, type ReplayExpectation, type ReplayRecordHeader, ReplayVerdict } from '@kiln/contracts';
import { type Database, findRepeatableJob, openDatabase, registerProvenance, registerScorer, type RepeatableJob } from '@kiln/database';
import { encodeTokenIds, executionProvenanceRecord, scorerIdentity } from '@kiln/provenance';
import { admitEchoJob, DEFAULT_PROJECT, type EchoJob, type EchoSuite, insertEchoSuite, startPostgres } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareReplay } from './compare-replay.js';
import { freezeReplayRecord } from './freeze-replay-record.js';
import { replayRecordText } from './replay-record-text.js';

const EXAMPLES = 1500;
const K = 2;
const EXECUTION = { engine: 'kiln.echo.v1', threads: 1 };
const SCORER = { kind: 'exact_match' } as never;

let db: Database;
let suite: EchoSuite;
let scorerId: number;
beforeAll(async () => {
  db = openDatabase(await (await startPostgres()).createDatabase());
  suite = await insertEchoSuite(db, EXAMPLES);
  scorerId = await registerScorer(db, { identity: scorerIdentity(SCORER), kind: 'exact_match', config: SCORER });
});
afterAll(() => db.close());

/**
 * A job whose every completion is "<think>…</think>answer" and scored on what follows the thought. Its tokens are characters, by their
 * codes, and an end token, which is 2: below 128 the encoding of an id is the byte itself.
 */
async function generated(execution: JsonObject = EXECUTION): Promise<EchoJob> {
  const job = await admitEchoJob(db, { suite, k: K, shardExamples: 500 });
  const body = executionProvenanceRecord(execution);
  const provenanceId = await registerProvenance(db, { digest: `digest of ${JSON.stringify(body)}`, body });
  await db.query(
    `WITH made AS (
       INSERT INTO traces (id, project_id, run_id, ordinal, completion_index, raw, token_ids, answer_start, answer_end, stop_reason,
                           prompt_tokens, completion_tokens, latency_ms, price_basis, provenance_id)
       SELECT gen_random_uuid(), $1, $2, i, c, raw, raw || '\\x02'::bytea, 16, octet_length(raw), 'stop', 1, octet_length(raw) + 1,
              1, 'free', $5
         FROM generate_series(0, $3 - 1) i CROSS JOIN generate_series(0, $4 - 1) c
        CROSS JOIN LATERAL (SELECT convert_to('<think>' || c || '</think>answer ' || i, 'UTF8') AS raw) text
       RETURNING id, ordinal, completion_index)
     INSERT INTO outcomes (run_id, ordinal, completion_index, project_id, trace_id, scorer_id, kind, score, fence)
     SELECT $2, ordinal, completion_index, $1, id, $6, 'fail', 0, 1 FROM made`,
    [DEFAULT_PROJECT, job.runIds[0], EXAMPLES, K, provenanceId, scorerId],
  );
  return job;
}

const repeatable = async ({ jobId }: EchoJob): Promise<RepeatableJob> => (await findRepeatableJob(db, DEFAULT_PROJECT, jobId))!;

async function frozen(job: EchoJob): Promise<ReplayRecordHeader> {
  const found = await repeatable(job);
  return (await freezeReplayRecord(db, found, found.runs[0]!))!;
}

async function compared(source: EchoJob, replay: EchoJob, state: 'completed' | 'cancelled' = 'completed'): Promise<ReplayVerdict> {
  const record = recordOf.get(source)!;
  const expectation: ReplayExpectation = {
    type: 'kiln.eval-replay-expectation.v1',
    schema_version: 1,
    source_job_id: source.jobId,
    source_run_id: source.runIds[0]!,
    source_run_index: 0,
    record_sha256: record.record_sha256,
    raw_completion_set_sha256: record.raw_completion_set_sha256,
    execution_provenance_sha256: record.execution_provenance_sha256!,
    base_weight_manifest_sha256: record.base_weight_manifest_sha256!,
  };
  return ReplayVerdict.parse(await compareReplay(db, await repeatable(replay), expectation, state));
}

/** What was frozen when a source was complete. */
const recordOf = new Map<EchoJob, ReplayRecordHeader>();

async function source(execution?: JsonObject): Promise<EchoJob> {
  const job = await generated(execution);
  recordOf.set(job, await frozen(job));
  return job;
}

const change = (job: EchoJob, set: string, ordinal: number, completionIndex: number): Promise<unknown> =>
  db.query(`UPDATE traces SET ${set} WHERE run_id = $1 AND ordinal = $2 AND completion_index = $3`, [
    job.runIds[0],
    ordinal,
    completionIndex,
  ]);

/** Tokens of a text without an end token. */
const idsOf = (text: string): number[] => [...Buffer.from(text)];

const changeIds = (job: EchoJob, ids: readonly number[], ordinal: number, completionIndex: number, also = 'raw = raw'): Promise<unknown> =>
  change(job, `token_ids = '\\x${Buffer.from(encodeTokenIds(ids)).toString('hex')}'::bytea, ${also}`, ordinal, completionIndex);

describe('a frozen replay record', () => {
  it('is strict for a complete run of one execution, over pages, and the same whenever it is made', async () => {
    const job = await source();
    const record = recordOf.get(job)!;
    expect(record).toMatchObject({
      strict: true,
      not_strict_because: [],
      settings: { count: EXAMPLES },
      raw_completions: { count: EXAMPLES * K },
      model_target: { adapter: null, adapter_content_sha256: null },
      execution_provenance: { pinned: { engine: 'kiln.echo.v1' }, incidental: { threads: 1 } },
    });
    expect(await frozen(job)).toEqual(record);
    const found = await repeatable(job);
    const types: Record<string, number> = {};
    for await (const text of replayRecordText(db, found, { ...found.runs[0]!, replayRecord: record })) {
      for (const line of text.trimEnd().split('\n')) {
        const { type } = JSON.parse(line) as { type: string };
        types[type] = (types[type] ?? 0) + 1;
      }
    }
    expect(types).toEqual({ 'kiln.eval-replay.v1': 1, example: EXAMPLES, settings: EXAMPLES, raw_completion: EXAMPLES * K });
  });

  it('is not strict when another execution made a part, a limit of time ended a thought, or a text is missing', async () => {
    const job = await generated();
    const other = await registerProvenance(db, {
      digest: 'other',
      body: executionProvenanceRecord({ ...EXECUTION, engine: 'kiln.echo.v2' }),
    });
    const threads = await registerProvenance(db, { digest: 'threads', body: executionProvenanceRecord({ ...EXECUTION, threads: 8 }) });
    await change(job, `provenance_id = ${threads}`, 1, 0);
    await change(job, `thinking = '{"applied": true, "triggered": true, "trigger": "time", "time_up_at": 5}'`, 2, 1);
    expect(await frozen(job)).toMatchObject({ strict: true });
    await change(job, `provenance_id = ${other}`, 3, 0);
    await change(job, `provenance_id = NULL`, 4, 0);
    await change(job, `thinking = '{"applied": true, "triggered": true, "trigger": "time"}'`, 5, 1);
    await db.query(`UPDATE outcomes SET trace_id = NULL, kind = 'error' WHERE run_id = $1 AND ordinal = 6`, [job.runIds[0]]);
    expect(await frozen(job)).toMatchObject({
      strict: false,
      not_strict_because: [
        `2 of ${EXAMPLES * K} completions have no stored text, because they ended as errors`,
        '1 completions have no record of what executed them',
        expect.stringMatching(/^2 different executions/),
        expect.stringMatching(/^a limit of time ended the reasoning of 1/),
      ],
      execution_provenance: null,
      execution_provenance_sha256: null,
      raw_completions: { count: EXAMPLES * K - 2 },
    });
  });
});

describe('compareReplay', () => {
  it('matches equal tokens and bytes, whatever the number of threads', async () => {
    const verdict = await compared(await source(), await generated({ ...EXECUTION, threads: 3 }));
    expect(verdict).toMatchObject({ status: 'matched', samples_compared: EXAMPLES * K, samples_different: 0, source_changed: false });
  });

  it('counts what differs and shows the first', async () => {
    const job = await source();
    const replay = await generated();
    await change(replay, `raw = convert_to('<think>1</think>answer X', 'UTF8'), answer_end = 24`, 1200, 1);
    await change(replay, `raw = raw || '!'::bytea, token_ids = raw || '\\x2102'::bytea`, 7, 0);
    expect(await compared(job, replay)).toMatchObject({
      status: 'mismatch',
      samples_different: 2,
      first_difference: {
        outcome_index: 7 * K,
        raw_completion_pointer: `/outcomes/${7 * K}/raw_completion_text`,
        example_id: 'example-7',
        completion_index: 0,
        form: 'raw',
        token: 24,
        expected_token: 2,
        actual_token: 0x21,
        expected_tokens: [...idsOf('answer 7'), 2],
        actual_tokens: [...idsOf('answer 7!'), 2],
        byte: 24,
        expected_byte: null,
        actual_byte: 0x21,
        expected_context: '<think>0</think>answer 7',
        actual_context: '<think>0</think>answer 7!',
      },
    });
  });

  it('names a token in the middle of a completion, and the byte at which its text begins to differ', async () => {
    const job = await source();
    const replay = await generated();
    const ids = [...idsOf('<think>1</think>'), 151645, ...idsOf('nswer 40'), 2];
    await changeIds(replay, ids, 40, 1, `raw = convert_to('<think>1</think>Answer 40', 'UTF8')`);
    expect(await compared(job, replay)).toMatchObject({
      status: 'mismatch',
      samples_different: 1,
      first_difference: {
        example_id: 'example-40',
        form: 'raw',
        token: 16,
        expected_token: 0x61,
        actual_token: 151645,
        expected_tokens: idsOf('</think>answer 4'),
        actual_tokens: [...idsOf('</think>'), 151645, ...idsOf('nswer 4')],
        byte: 16,
        expected_byte: 0x61,
        actual_byte: 0x41,
        actual_context: '<think>1</think>Answer 40',
      },
    });
  });

  it('does not match other tokens, though they come to the same bytes: here an end token is missing', async () => {
    const job = await source();
    const replay = await generated();
    await changeIds(replay, idsOf('<think>0</think>answer 3'), 3, 0);
    const verdict = await compared(job, replay);
    expect(verdict).toMatchObject({
      status: 'mismatch',
      source_changed: false,
      samples_different: 1,
      first_difference: { example_id: 'example-3', form: 'tokens', token: 24, expected_token: 2, actual_token: null, byte: null },
    });
    expect(verdict.expected_sha256, 'the digests are of bytes').toBe(verdict.actual_sha256);
  });

  it('compares the bytes alone where one side has no tokens', async () => {
    const job = await source();
    const replay = await generated();
    await db.query(`UPDATE traces SET token_ids = NULL WHERE run_id = $1`, [job.runIds[0]]);
    await changeIds(replay, [1], 3, 0);
    expect(await compared(job, replay)).toMatchObject({ status: 'matched' });
    await change(replay, `raw = raw || '!'::bytea`, 7, 0);
    expect(await compared(job, replay)).toMatchObject({ status: 'mismatch', first_difference: { form: 'raw', token: null, byte: 24 } });
  });

  it('compares the tokens of traces that other runs have lent', async () => {
    const [job, lender] = [await generated(), await generated()];
    await db.query(
      `UPDATE outcomes o SET trace_id = t.id FROM traces t
        WHERE o.run_id = $1 AND t.run_id = $2 AND (t.ordinal, t.completion_index) = (o.ordinal, o.completion_index)`,
      [job.runIds[0], lender.runIds[0]],
    );
    recordOf.set(job, await frozen(job));
    const replay = await generated();
    expect(await compared(job, replay)).toMatchObject({ status: 'matched' });
    await changeIds(lender, [1], 3, 0);
    expect(await compared(job, replay)).toMatchObject({ status: 'mismatch', first_difference: { form: 'tokens', expected_token: 1 } });
  });

  it('finds nothing comparable in tokens that are damaged', async () => {
    const job = await source();
    await change(job, `token_ids = '\\x80'::bytea`, 3, 1);
    expect(await compared(job, await generated())).toMatchObject({
      status: 'error',
      reason: 'the stored tokens of completion 1 of example "example-3" are damaged',
    });
  });

  it('compares what is scored, too', async () => {
    const job = await source();
    const replay = await generated();
    await change(replay, 'answer_start = 0', 3, 1);
    expect(await compared(job, replay)).toMatchObject({
      status: 'mismatch',
      samples_different: 1,
      first_difference: { example_id: 'example-3', form: 'normalized', token: null, byte: 0, expected_context: 'answer 3' },
    });
  });

  it('says when the stored source is no longer what its record says', async () => {
    const job = await source();
    const replay = await generated();
    await change(job, `raw = set_byte(raw, 20, 0)`, 1499, 1);
    const verdict = await compared(job, replay);
    expect(verdict).toMatchObject({
      status: 'mismatch',
      source_changed: true,
      actual_sha256: recordOf.get(job)!.raw_completion_set_sha256,
      first_difference: { example_id: 'example-1499', token: null, byte: 20, expected_byte: 0 },
    });
  });

  it('finds nothing comparable in a replay that stopped, failed in part, or was executed otherwise', async () => {
    const job = await source();
    expect(await compared(job, await generated(), 'cancelled')).toMatchObject({
      status: 'error',
      reason: 'the replay was cancelled before its end',
    });
    const otherwise = await generated({ ...EXECUTION, engine: 'kiln.echo.v2' });
    expect(await compared(job, otherwise)).toMatchObject({
      status: 'error',
      reason: expect.stringMatching(/^another execution/),
      expected_sha256: null,
    });
    const failed = await generated();
    await db.query(
      `UPDATE outcomes SET trace_id = NULL, kind = 'error', error_code = 'target_changed', error_message = 'weights' WHERE run_id = $1 AND ordinal = 9`,
      [failed.runIds[0]],
    );
    expect(await compared(job, failed)).toMatchObject({
      status: 'error',
      reason: 'completion 0 of example "example-9" was not generated: target_changed: weights',
    });
    await db.query(`DELETE FROM outcomes WHERE run_id = $1 AND ordinal = 9`, [failed.runIds[0]]);
    expect(await compared(job, failed)).toMatchObject({
      status: 'error',
      reason: 'completion 0 of example "example-9" is missing in the replay',
    });
    const gone = { ...job, jobId: randomUUID() };
    recordOf.set(gone, recordOf.get(job)!);
    expect(await compared(gone, await generated())).toMatchObject({ status: 'error', reason: 'the job that was repeated is gone' });
  });
});
