import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import path from 'node:path';
import type { ScorerProof, SuiteSummary } from '@kiln/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { captureCli } from '../capture-cli.fixture.js';

const FILE = path.resolve(import.meta.dirname, '../../../../suites/math-smoke.json');
const PROOF: ScorerProof = { version: 1, examples: 1, examples_tried: 1, false_accepts: 0, false_rejects: 0, groups: [] };
const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;

function summary(hash: string, version: number): SuiteSummary {
  return {
    name: 'math-smoke',
    description: null,
    num_examples: 1,
    completions_per_example: 1,
    aggregation: { kind: 'single' },
    schema_version: 2,
    default_scorer_kind: 'exact_match',
    tags: {},
    hash,
    version,
    scorer_proof: null,
    scorer_waiver: null,
    created_at: '2027-01-01T00:00:00.000Z',
  };
}

describe('kiln eval register', () => {
  let server: Server;
  let listed: { status: number; body: unknown };
  let registered: { status: 'created' | 'overwritten'; suite: SuiteSummary };
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const answer = request.method === 'GET' ? listed : { status: 200, body: { ...registered, scorer_proof: PROOF } };
      request.resume().on('end', () => {
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    listed = { status: 200, body: { suites: [summary(digest('a'), 1)], next_cursor: null } };
    registered = { status: 'overwritten', suite: summary(digest('b'), 2) };
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  async function register(...argv: string[]): Promise<string> {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, out, err } = await captureCli('eval', 'register', '--file', FILE, ...argv, '--server', url);
    return `${code} ${out}${err}`;
  }

  it('says what it made', async () => {
    registered = { status: 'created', suite: summary(digest('b'), 1) };
    expect(await register()).toBe(`0 created math-smoke: version 1, 1 example, ${digest('b')}\n`);
    expect(asked).toHaveLength(1);
  });

  it('tells a new version from the one that was there', async () => {
    expect(await register('--force')).toMatch(/^0 overwritten math-smoke: version 2, 1 example,/);
    registered.suite = summary(digest('a'), 1);
    expect(await register('--force')).toMatch(/^0 unchanged math-smoke: version 1, 1 example,/);
  });

  it('registers with a key that may not list suites', async () => {
    listed = { status: 403, body: { error: { code: 'forbidden', message: 'no', hint: null } } };
    expect(await register('--force')).toMatch(/^0 overwritten/);
  });

  it('gives the answer of the API with --json', async () => {
    const out = await register('--force', '--json');
    expect(JSON.parse(out.slice(2))).toEqual({ ...registered, scorer_proof: PROOF });
  });
});
