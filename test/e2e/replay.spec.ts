import { type RawOutcome, ReplayCompletionLine, ReplayRecordHeader, type SuiteInput } from '@kiln/contracts';
import { decodeTokenIds, encodeTokenIds } from '@kiln/provenance';
import { requireProgram } from '@kiln/testing';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCode } from './api-client.fixture.js';
import { checkInvariants } from './check-invariants.fixture.js';
import { useFleet } from './fleet.fixture.js';
import { numberSuite } from './number-suite.fixture.js';
import { until } from './until.fixture.js';

const MAX_BATCH = 3;

/** Sums that the tiny model answers at a temperature. */
function sampledSums(name: string, { examples, k }: { examples: number; k: number }): SuiteInput {
  return {
    name,
    schema_version: 2,
    default_scorer: { kind: 'contains', phrases: ['1'] },
    generation: { n: k, max_tokens: 12, temperature: 1.1, top_p: 0.95 },
    aggregation: { kind: 'mean_at_k', k },
    examples: Array.from({ length: examples }, (_, index) => ({
      id: `sum-${index}`,
      messages: [{ role: 'user' as const, content: `${index * 7} + ${index * 3 + 1}?` }],
      target: String(index * 10 + 1),
    })),
  };
}

const sha256 = (content: string | Buffer): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;

describe.skipIf(requireProgram('redis-server') === null)('replay', () => {
  let models = '';
  const modelEnv: Record<string, string> = {};
  beforeAll(async () => {
    models = await mkdtemp(join(tmpdir(), 'kiln-replay-'));
    await cp('models/tiny-arith', join(models, 'tiny-arith'), { recursive: true });
    modelEnv['KILN_MODEL_DIR'] = models;
  });
  // Registered before the fleet's own: the directory is there when its processes start, and goes after them.
  const fleet = useFleet({ workers: 1, slots: 2, env: modelEnv });
  afterAll(() => rm(models, { recursive: true, force: true }));

  async function completed(suite: string): Promise<string> {
    const { job_id: jobId } = await fleet.client.run({ suite, model: 'tiny-arith', adapter: '', seed: '42' });
    expect(await fleet.client.waitForEnd(jobId)).toMatchObject({ state: 'completed', runs: [{ replay: { strict: true } }] });
    return jobId;
  }

  const replay = (jobId: string, body: object = {}) => fleet.client.send('POST', `/v1/eval/jobs/${jobId}/replay`, body);

  async function replayed(jobId: string) {
    const answer = await replay(jobId);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return fleet.client.waitForEnd((answer.body as { job_id: string }).job_id);
  }

  async function record(jobId: string): Promise<{ header: ReplayRecordHeader; lines: string[] }> {
    const { client } = fleet;
    const response = await fetch(`${client.url}/v1/eval/jobs/${jobId}/replay-record`, {
      headers: { authorization: `Bearer ${client.token}` },
    });
    expect(response.status).toBe(200);
    const [header, ...lines] = (await response.text()).trimEnd().split('\n');
    return { header: ReplayRecordHeader.parse(JSON.parse(header!)), lines };
  }

  it('matches in another process with other threads and batches, and tells a changed token from it', async () => {
    const { client, db } = fleet;
    const [examples, k] = [200, 4];
    await client.registerSuite(sampledSums('sampled', { examples, k }));
    const source = await completed('sampled');

    const { header, lines } = await record(source);
    const completions = lines.filter((line) => (JSON.parse(line) as { type: string }).type === 'raw_completion');
    expect(completions).toHaveLength(examples * k);
    expect(header.raw_completions).toEqual({ count: examples * k, sha256: sha256(completions.map((line) => `${line}\n`).join('')) });
    expect(header.base_weight_manifest).toMatchObject({
      type: 'kiln.base-weight-shards.v1',
      shards: [{ path: 'onnx/model.onnx', sha256: sha256(await readFile(join(models, 'tiny-arith/onnx/model.onnx'))) }],
    });
    const outcomes = await client.outcomes(source);
    for (const [index, line] of completions.entries()) checkLine(ReplayCompletionLine.parse(JSON.parse(line)), outcomes[index]!, index);
    expect(new Set(outcomes.map(({ completion_text: text }) => text)).size, 'it was sampled').toBeGreaterThan(100);
    const traces = await storedTraces(source);
    const bytesOf = await tokenBytes(join(models, 'tiny-arith'));
    expect(traces.map(({ ids }) => ids.length)).toEqual(outcomes.map(({ completion_tokens: count }) => count));
    expect(traces.map(({ ids }) => bytesOf(ids))).toEqual(traces.map(({ raw }) => raw.byteLength));

    await fleet.addWorker({ KILN_WORKER_THREADS: '2', KILN_WORKER_MAX_BATCH: String(MAX_BATCH), KILN_WORKER_SLOTS: '4' });
    expect(await fleet.worker.stop()).toBe(0);
    await until('one worker is left', async () => ((await db.query(`SELECT 1 FROM workers`)).length === 1 ? true : null));
    const matched = await replayed(source);
    expect(matched).toMatchObject({
      kind: 'replay',
      state: 'completed',
      source_job_id: source,
      reuse: 'never',
      replay_verdict: {
        status: 'matched',
        record_sha256: header.record_sha256,
        expected_sha256: header.raw_completion_set_sha256,
        actual_sha256: header.raw_completion_set_sha256,
        source_changed: false,
        samples_compared: examples * k,
        samples_different: 0,
        first_difference: null,
        reason: null,
      },
    });
    expect(await storedTraces(matched.id), 'the same tokens').toEqual(traces);
    const generated = await db.query(
      `SELECT count(DISTINCT t.id)::int AS traces, count(DISTINCT p.digest)::int AS executions
         FROM traces t JOIN runs r ON r.id = t.run_id JOIN execution_provenances p ON p.id = t.provenance_id
        WHERE r.job_id = ANY ($1::uuid[])`,
      [[source, matched.id]],
    );
    expect(generated, 'every sample was generated twice, with other threads').toEqual([{ traces: 2 * examples * k, executions: 2 }]);
    const [together, before] = [await decodedTogether(matched.id), await decodedTogether(source)];
    expect(together, 'samples were decoded in smaller batches').toBeLessThanOrEqual(MAX_BATCH);
    expect(before).toBeGreaterThan(MAX_BATCH);
    await checkInvariants(db, matched.id);

    // A token in the middle of one completion, with the byte at which its text begins, and the end token of a later one.
    const flipped = traces.findIndex(({ ids, raw }, index) => index > 100 && ids.length > 4 && raw.byteLength > 4);
    const { ids, raw } = traces[flipped]!;
    const [token, byte] = [2, bytesOf(ids.slice(0, 2))];
    await changeTrace(source, flipped, { ids: ids.with(token, ids[token]! ^ 1), raw: raw.with(byte, raw[byte]! ^ 1) });
    const last = traces.findLastIndex(({ ids: some }) => some.length > 1);
    await changeTrace(source, last, { ...traces[last]!, ids: traces[last]!.ids.slice(0, -1) });
    const { replay_verdict: mismatch } = await replayed(source);
    expect(mismatch).toMatchObject({
      status: 'mismatch',
      source_changed: true,
      actual_sha256: header.raw_completion_set_sha256,
      samples_different: 2,
      first_difference: {
        outcome_index: flipped,
        example_id: outcomes[flipped]!.example_id,
        completion_index: outcomes[flipped]!.completion_index,
        form: 'raw',
        token,
        expected_token: ids[token]! ^ 1,
        actual_token: ids[token],
        actual_tokens: ids.slice(0, token + 8),
        byte,
        expected_byte: raw[byte]! ^ 1,
        actual_byte: raw[byte],
        actual_context: expect.stringContaining(outcomes[flipped]!.raw_completion_text.slice(0, 4)),
      },
    });
    expect(mismatch!.expected_sha256).not.toBe(mismatch!.actual_sha256);
  }, 120_000);

  it('is refused before anything is queued when something of the record changed, and says what', async () => {
    const { client, db } = fleet;
    await client.registerSuite(sampledSums('pinned', { examples: 60, k: 2 }));
    const source = await completed('pinned');
    const jobs = async () => (await db.query<{ n: number }>(`SELECT count(*)::int AS n FROM jobs`))[0]!.n;
    const before = await jobs();
    const refused = async (message: RegExp, body: object = {}): Promise<void> => {
      const answer = await replay(source, body);
      expect([answer.status, errorCode(answer)]).toEqual([400, 'eval_invalid_request']);
      expect((answer.body as { error: { message: string } }).error.message).toMatch(message);
    };

    await refused(/run_index: is 1/, { run_index: 1 });
    await refused(/unknown field "threads"/, { threads: 1 });

    const version = `WHERE id = (SELECT suite_version_id FROM jobs WHERE id = '${source}')`;
    const [{ header }] = (await db.query<{ header: object }>(`SELECT header FROM suite_versions ${version}`)) as [{ header: object }];
    await db.query(`UPDATE suite_versions SET header = jsonb_set(header, '{default_scorer,phrases}', '["2"]') ${version}`);
    await refused(/^suite: the stored suite has the hash .*: default_scorer was .*"phrases":\["1"\].* and is .*"phrases":\["2"\]/);
    await db.query(`UPDATE suite_versions SET header = $1 ${version}`, [JSON.stringify(header)]);

    await db.query(`UPDATE runs SET replay_record = jsonb_set(replay_record, '{effective_seed}', '"43"') WHERE job_id = $1`, [source]);
    await refused(/record is damaged: its record_sha256|effective_seed/);
    await db.query(`UPDATE runs SET replay_record = jsonb_set(replay_record, '{effective_seed}', '"42"') WHERE job_id = $1`, [source]);

    // One character of the chat template, one byte in the middle of the weights.
    const template = (bytes: Buffer): Buffer => Buffer.from(bytes.toString().replace('assistant', 'assistanT'));
    const weight = (bytes: Buffer): Buffer => bytes.with(bytes.byteLength >> 1, bytes[bytes.byteLength >> 1]! ^ 1) as Buffer;
    for (const [file, change, message] of [
      ['tokenizer_config.json', template, /^(tokenizer|template)_digest: the .* of the model "tiny-arith" changed/],
      ['onnx/model.onnx', weight, /^model_digest: the weights or configuration of the model "tiny-arith" changed/],
    ] as const) {
      const path = join(models, 'tiny-arith', file);
      const bytes = await readFile(path);
      await writeFile(path, change(bytes));
      await rescan();
      await refused(message);
      await writeFile(path, bytes);
      await rescan();
    }
    expect(await jobs()).toBe(before);
    expect((await replayed(source)).replay_verdict).toMatchObject({ status: 'matched' });
  }, 120_000);

  it('runs only the examples again that came to certain outcomes, which can be rescored and replayed too', async () => {
    const { client, db } = fleet;
    const wrong = new Set([1, 2, 3, 11, 29]);
    await client.registerSuite(
      numberSuite({
        name: 'partly-wrong',
        examples: 30,
        k: 2,
        expected: (index) => (wrong.has(index) ? 'no' : `q-${String(index).padStart(4, '0')}`),
      }),
    );
    const { job_id: source } = await client.run({ suite: 'partly-wrong', model: 'echo', adapter: '' });
    await client.waitForEnd(source);

    const rerun = (body: object) => client.send('POST', `/v1/eval/jobs/${source}/rerun`, body);
    const empty = await rerun({ outcome_kinds: ['error'] });
    expect([empty.status, errorCode(empty)]).toEqual([400, 'eval_invalid_request']);

    const answer = await rerun({});
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const job = await client.waitForEnd((answer.body as { job_id: string }).job_id);
    expect(job).toMatchObject({
      kind: 'eval',
      state: 'completed',
      source_job_id: source,
      suite: { num_examples: wrong.size },
      selection: { source_job_id: source, outcome_kinds: ['fail', 'invalid', 'error'], num_examples: wrong.size },
      progress: { samples_completed: wrong.size * 2, samples_total: wrong.size * 2 },
      runs: [
        {
          metrics: { num_examples: wrong.size, coverage: { complete_examples: wrong.size, total_examples: wrong.size } },
          replay: { strict: true },
        },
      ],
    });
    const ids = [...wrong].map((index) => `q-${String(index).padStart(4, '0')}`);
    expect((await client.aggregatedOutcomes(job.id)).map(({ example_id: id }) => id)).toEqual(ids);
    await checkInvariants(db, job.id);

    const { job_id: rescore } = await client.rescore(job.id, { scorers: [{ scorer: { kind: 'contains', phrases: ['q-'] } }] });
    const rescored = await client.waitForEnd(rescore);
    expect(rescored).toMatchObject({
      state: 'completed',
      suite: { num_examples: wrong.size },
      runs: [{ metrics: { counts: { pass: wrong.size } }, replay: null }],
    });
    await checkInvariants(db, rescore);

    const again = await replayed(job.id);
    expect(again).toMatchObject({ selection: job.selection, replay_verdict: { status: 'matched', samples_compared: wrong.size * 2 } });
    await checkInvariants(db, again.id);

    const all = await client.waitForEnd(((await rerun({ include_pass: true, seed: '7' })).body as { job_id: string }).job_id);
    expect(all).toMatchObject({ effective_seed: '7', suite: { num_examples: 30 }, state: 'completed' });
  }, 120_000);

  it('repeats a judged run with the judges that were frozen', async () => {
    const { client, db, stub } = fleet;
    stub.reset();
    stub.answer = () => 'Score: 1';
    const judged = { kind: 'llm_judge', template: 'Grade {answer}. End with "Score: 0" or "Score: 1".' } as const;
    await client.registerSuite({ ...numberSuite({ name: 'judged', examples: 8 }), default_scorer: judged });
    const judge = stub.target('judge', { pricing: { kind: 'free' } });
    const { job_id: source } = await client.run({ suite: 'judged', model: 'echo', adapter: '', judge });
    expect(await client.waitForEnd(source)).toMatchObject({ state: 'completed', runs: [{ replay: { strict: true } }] });
    const { header, lines } = await record(source);
    expect(header.judge_targets).toMatchObject([{ target: { kind: 'endpoint', model: 'judge' } }]);
    const settings = lines.map((line) => JSON.parse(line) as { type: string }).filter(({ type }) => type === 'settings');
    expect(settings).toHaveLength(8);
    expect(settings[0]).toMatchObject({ scorer_identity: { kind: 'llm_judge', requires_judge: true, judge_adapter: null } });
    const again = await replayed(source);
    expect(again).toMatchObject({ replay_verdict: { status: 'matched', samples_compared: 8 }, runs: [{ metrics: { accuracy: 1 } }] });
    expect(again.runs[0]!.judges).toMatchObject([{ model: 'judge' }]);
    await checkInvariants(db, again.id);
    const rerun = await client.send('POST', `/v1/eval/jobs/${source}/rerun`, { include_pass: true });
    const rerunJob = await client.waitForEnd((rerun.body as { job_id: string }).job_id);
    expect(rerunJob).toMatchObject({ state: 'completed', runs: [{ judges: [{ model: 'judge' }], metrics: { accuracy: 1 } }] });
  }, 60_000);

  async function storedTraces(jobId: string): Promise<StoredCompletion[]> {
    const rows = await fleet.db.query<{ raw: Buffer; ids: Buffer }>(
      `SELECT t.raw, t.token_ids AS ids FROM traces t JOIN runs r ON r.id = t.run_id WHERE r.job_id = $1 ORDER BY t.ordinal, t.completion_index`,
      [jobId],
    );
    return rows.map(({ raw, ids }) => ({ raw, ids: decodeTokenIds(ids)! }));
  }

  /** @param index of the completion, in order */
  async function changeTrace(jobId: string, index: number, { raw, ids }: StoredCompletion): Promise<void> {
    await fleet.db.query(
      `UPDATE traces SET raw = $3, token_ids = $4
        WHERE id = (SELECT t.id FROM traces t JOIN runs r ON r.id = t.run_id WHERE r.job_id = $1
                     ORDER BY t.ordinal, t.completion_index OFFSET $2 LIMIT 1)`,
      [jobId, index, Buffer.from(raw), Buffer.from(encodeTokenIds(ids))],
    );
  }

  /** How many samples of a job were being decoded at a time, on average over the time that it took: no more than ever were. */
  async function decodedTogether(jobId: string): Promise<number> {
    const [row] = await fleet.db.query<{ together: number }>(
      `SELECT sum(t.latency_ms) / (extract(epoch FROM min(j.finished_at) - min(j.submitted_at)) * 1000)::float8 AS together
         FROM traces t JOIN runs r ON r.id = t.run_id JOIN jobs j ON j.id = r.job_id WHERE j.id = $1`,
      [jobId],
    );
    return row!.together;
  }

  async function rescan(): Promise<void> {
    const { client, db } = fleet;
    await client.send('POST', '/v1/models/scan', {});
    await until('the scan', async () => {
      const [row] = await db.query<{ open: number }>(
        `SELECT count(*)::int AS open FROM workers WHERE scan_epoch < (SELECT scan_epoch FROM control WHERE id = 1)`,
      );
      return row!.open === 0 ? true : null;
    });
  }
});

interface StoredCompletion {
  raw: Uint8Array;
  ids: number[];
}

/** How many bytes tokens write, by the vocabulary: each character of a byte-level token is a byte, and special tokens write nothing. */
async function tokenBytes(model: string): Promise<(ids: readonly number[]) => number> {
  const { model: parts, added_tokens: added } = JSON.parse(await readFile(join(model, 'tokenizer.json'), 'utf8')) as {
    model: { vocab: Record<string, number> };
    added_tokens: { id: number; special: boolean }[];
  };
  const bytes = new Map(Object.entries(parts.vocab).map(([text, id]) => [id, text.length]));
  for (const { id, special } of added) if (special) bytes.set(id, 0);
  return (ids) => ids.reduce((sum, id) => sum + bytes.get(id)!, 0);
}

function checkLine(line: ReplayCompletionLine, outcome: RawOutcome, index: number): void {
  const raw = Buffer.from(outcome.raw_completion_text);
  expect(line).toEqual({
    type: 'raw_completion',
    outcome_index: index,
    example_id: outcome.example_id,
    completion_index: outcome.completion_index,
    generation_seed: outcome.generation_seed,
    raw_completion_pointer: `/outcomes/${index}/raw_completion_text`,
    raw_sha256: sha256(raw),
    raw_bytes: raw.byteLength,
    normalized_sha256: sha256(outcome.completion_text),
    normalized_bytes: Buffer.byteLength(outcome.completion_text),
    thinking_time_up_at: null,
  });
}
