import { Example, parseWith, type ScorerProof, SuiteHeader } from '@kiln/contracts';
import { startPostgres } from '@kiln/testing';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_PROJECT_ID } from '../audit/default-project.js';
import { type Database, openDatabase } from '../database.js';
import { exampleRecord, type ExampleRecord } from './example-record.js';
import { findSuite } from './find-suite.js';
import { readSuiteExamples } from './read-suite-examples.js';
import { type NewSuite, registerSuite } from './register-suite.js';

let db: Database;
beforeAll(async () => {
  const postgres = await startPostgres();
  db = openDatabase(await postgres.createDatabase(), { max: 8, onIdleError: () => undefined });
});
afterAll(() => db.close());

const header = (name: string) => parseWith(SuiteHeader, { name, default_scorer: { kind: 'exact_match' } }, 'header');

function record(n: number): ExampleRecord {
  const example = parseWith(Example, { id: `e${n}`, messages: [{ role: 'user', content: String(n) }], target: String(n) }, 'example');
  return exampleRecord({ ...example, id: `e${n}` }, `sha256:${createHash('sha256').update(String(n)).digest('hex')}`);
}

const proof: ScorerProof = { version: 1, examples: 1, examples_tried: 1, false_accepts: 0, false_rejects: 0, groups: [] };

function suite(name: string, hash: string, batches: NewSuite['batches'], exampleCount: number, scorerProof = proof): NewSuite {
  const facts = {
    exampleCount,
    exampleNs: [],
    exampleMaxTokens: 0,
    maxPromptTokens: 1,
    scorerKinds: ['exact_match'],
    executedScorers: [],
    tagCounts: {},
  };
  return { projectId: DEFAULT_PROJECT_ID, hash, header: header(name), facts, createdBy: 'test', batches, scorerProof };
}

const actor = { actor: 'test', source: 'test' };
const counts = () =>
  db.query(`SELECT (SELECT count(*)::int FROM suites) AS suites, (SELECT count(*)::int FROM suite_versions) AS versions,
                   (SELECT count(*)::int FROM examples) AS examples, (SELECT count(*)::int FROM audit_log) AS audit`);

describe('registerSuite', () => {
  it('keeps the order of the examples over batches', async () => {
    const order = Array.from({ length: 1_200 }, (_, n) => (n * 7) % 1_200);
    const batches = () => [0, 500, 1_000].map((from) => order.slice(from, from + 500).map(record));
    const { version } = await registerSuite(db, suite('ordered', 'sha256:1', batches, 1_200), false, actor);
    const read = await readSuiteExamples(db, { versionId: version.id, after: -1, limit: 2_000 });
    expect(read.map(({ id }) => id)).toEqual(order.map((n) => `e${n}`));
  });

  it('stores the proof of the scorers, the newest of a version that comes back', async () => {
    const batches = () => [[record(1)]];
    const { version } = await registerSuite(db, suite('proved', 'sha256:7', batches, 1), false, actor);
    expect(version.scorerProof).toEqual(proof);
    const newer = { ...proof, version: 2, false_accepts: 3 };
    const again = await registerSuite(db, suite('proved', 'sha256:7', batches, 1, newer), true, actor);
    expect(again.version).toEqual({ ...version, scorerProof: newer });
    expect((await findSuite(db, DEFAULT_PROJECT_ID, 'proved', null))?.scorerProof).toEqual(newer);
  });

  it('stores nothing when a later batch fails', async () => {
    const before = await counts();
    async function* failing() {
      yield [record(5_000)];
      throw new Error('the stream broke');
    }
    await expect(registerSuite(db, suite('broken', 'sha256:2', failing, 2), false, actor)).rejects.toThrow('the stream broke');
    expect(await counts()).toEqual(before);
  });

  it('runs again after a deadlock with another registration', async () => {
    // Two suites with the same new examples in two batches each, in opposite orders: one of them is the victim.
    const [low, high] = [
      Array.from({ length: 300 }, (_, n) => record(6_000 + n)),
      Array.from({ length: 300 }, (_, n) => record(7_000 + n)),
    ];
    let attempts = 0;
    let arrived = 0;
    const both = (first: ExampleRecord[], second: ExampleRecord[]) =>
      async function* batches() {
        attempts += 1;
        yield first;
        arrived += 1;
        while (arrived < 2) await new Promise((resolve) => setTimeout(resolve, 5));
        yield second;
      };
    const registered = await Promise.all([
      registerSuite(db, suite('dead', 'sha256:3', both(low, high), 600), false, actor),
      registerSuite(db, suite('lock', 'sha256:4', both(high, low), 600), false, actor),
    ]);
    expect(registered.map(({ status }) => status)).toEqual(['created', 'created']);
    expect(attempts).toBe(3);
  });
});
