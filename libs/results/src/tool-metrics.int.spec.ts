import { parseWith, Scorer, type Tool } from '@kiln/contracts';
import {
  claimShard,
  type Database,
  dispatchShards,
  openDatabase,
  readFinishingJob,
  type RecordedSample,
  recordOutcomes,
  registerScorer,
} from '@kiln/database';
import { compileScorer, plainAnswer } from '@kiln/scoring';
import { admitEchoJob, ECHO_QUEUE, startPostgres } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { computeResults } from './compute-results.js';

let db: Database;
beforeAll(async () => {
  db = openDatabase(await (await startPostgres()).createDatabase());
});
afterAll(() => db.close());

const tools = [
  { name: 'get', parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
  { name: 'put', parameters: { type: 'object', properties: {} } },
] as Tool[];
const score = compileScorer(parseWith(Scorer, { kind: 'tool_call' }, 'scorer'));
const call = (name: string, values: object): string => JSON.stringify({ tool_calls: [{ name, arguments: values }] });
const xml = (name: string, city: string): string =>
  `<tool_call>\n<function=${name}>\n<parameter=city>\n${city}\n</parameter>\n</function>\n</tool_call>`;

/** A sample with its trace, as a worker records it. */
function sample(ordinal: number, scorerId: number, text: string, target: string): RecordedSample {
  const raw = new TextEncoder().encode(text);
  const { kind, score: value, detail } = score(plainAnswer(text, { target, tools, messages: [{ role: 'user', content: 'Go.' }] }));
  const nothing = { reasoningStart: null, reasoningEnd: null, reasoningChars: null, unclosedThinking: false, thinking: null, steps: null };
  const used = {
    promptTokens: 1,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    completionTokens: 1,
    latencyMs: 1,
    costNano: 0n,
    priceBasis: 'free',
  };
  return {
    ordinal,
    completionIndex: 0,
    scorerId,
    kind,
    score: value,
    detail,
    error: null,
    borrowed: null,
    trace: {
      id: randomUUID(),
      reuseKey: null,
      raw,
      tokenIds: null,
      answerStart: 0,
      answerEnd: raw.byteLength,
      rounds: 1,
      stopReason: 'stop',
      provenanceId: null,
      ...nothing,
      ...used,
    },
  };
}

it('metrics tell which tools were called, how, and what their schemas say, from the stored details', async () => {
  const scorerId = await registerScorer(db, { identity: 'sha256:tools', kind: 'tool_call', config: {} });
  const other = await registerScorer(db, { identity: 'sha256:text', kind: 'exact_match', config: {} });
  const job = await admitEchoJob(db, { examples: 6, shardExamples: 6 });
  const [shard] = await dispatchShards(db, job.jobId, ECHO_QUEUE, 1);
  const claim = await claimShard(db, { shardId: shard!.shardId, dispatch: shard!.dispatch, workerId: randomUUID(), leaseTtlMs: 60_000 });
  if (claim.outcome !== 'leased') throw new Error(claim.outcome);
  const samples = [
    sample(0, scorerId, xml('get', 'Paris'), call('get', { city: 'Paris' })),
    sample(1, scorerId, call('GET', { town: 'Paris' }), call('get', { city: 'Paris' })),
    sample(2, scorerId, call('put', {}), call('get', { city: 'Paris' })),
    sample(3, scorerId, 'I cannot.', call('put', {})),
    sample(4, other, call('get', {}), call('get', {})),
    {
      ...sample(5, scorerId, '', call('get', {})),
      kind: 'error' as const,
      detail: null,
      trace: null,
      error: { code: 'boom', message: '' },
    },
  ];
  const usage = {
    promptTokens: 6,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    completionTokens: 6,
    costNano: 0n,
    priceBasis: 'free' as const,
    durationMs: 1,
  };
  await recordOutcomes(db, claim.lease, { samples, usage: { ...usage, samples: samples.length }, part: 0, final: true });
  const finishing = await readFinishingJob(db, job.jobId);
  const { runs } = await computeResults(db, finishing!, { state: 'completed', gate: null });
  const { metrics } = runs[0]!;
  expect(metrics).toMatchObject({
    confusion_by_tool: { get: { GET: 1, get: 1, put: 1 }, put: { '<none>': 1 } },
    num_non_xml_tool_calls: 2,
    // `GET` lacks city and brings town
    num_schema_missing_required: 1,
    num_schema_extra_unknown: 1,
  });
  expect(metrics.pass_rate_by_tool).toMatchObject({
    get: { num_examples: 3, counts: { pass: 1, fail: 2 } },
    put: { num_examples: 1, counts: { invalid: 1 } },
  });
});
