import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import type { RawOutcome } from '@kiln/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { captureCli } from '../capture-cli.fixture.js';

function outcome(index: number, change: Partial<RawOutcome> = {}): RawOutcome {
  return {
    example_id: `add-${index}`,
    completion_index: 0,
    generation_seed: '1',
    completion_text: `${index}`,
    raw_completion_text: `${index}`,
    text_changed: false,
    thinking_budget: null,
    kind: 'fail',
    score: 0,
    detail: { expected: '7' },
    prompt_tokens: 1,
    cached_tokens: 0,
    completion_tokens: 1,
    latency_ms: 1,
    stop_reason: 'stop',
    cost_usd: '0',
    price_basis: 'free',
    tags: [],
    metadata: null,
    reasoning_text: null,
    unclosed_thinking: false,
    tool_calls: null,
    ...change,
  };
}

describe('kiln eval outcomes', () => {
  let server: Server;
  let stored: RawOutcome[];
  let asked: URL[];

  /** A server that pages as the API does: the cursor says where the next page begins. */
  beforeEach(async () => {
    stored = [];
    asked = [];
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://x');
      asked.push(url);
      const from = Number(url.searchParams.get('cursor') ?? 0);
      const end = from + Number(url.searchParams.get('limit'));
      const page = { outcomes: stored.slice(from, end), next_cursor: end < stored.length ? String(end) : null };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  function outcomes(...argv: string[]) {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return captureCli('eval', 'outcomes', 'a job', ...argv, '--server', url);
  }

  it('lists answers: example, completion, kind, score, first line, detail', async () => {
    stored = [
      outcome(1),
      outcome(2, { completion_text: '\n\nFour.\nOr five?', kind: 'pass', score: 1 / 3, detail: null, completion_index: 2 }),
      outcome(3, { completion_text: '', kind: 'error', detail: { code: 'judge_unavailable', message: 'away' } }),
    ];
    const { code, out } = await outcomes();
    expect(code).toBe(0);
    expect(out).toBe(
      [
        'example  completion  kind    score  answer   detail',
        'add-1             0  fail        0  1        {"expected":"7"}',
        'add-2             2  pass   0.3333  Four. …',
        'add-3             0  error       0           {"code":"judge_unavailable","message":"away"}',
        '',
      ].join('\n'),
    );
  });

  it('asks for the run and the kinds that are wanted', async () => {
    stored = [outcome(1)];
    await outcomes('--run-index', '1', '--kind', 'fail,invalid', '--kind', 'error');
    expect(asked.map(({ pathname, search }) => pathname + search)).toEqual([
      '/v1/eval/jobs/a%20job/outcomes?run_index=1&kind=fail&kind=invalid&kind=error&limit=20',
    ]);
  });

  it('shows 20, and says so where there are more', async () => {
    stored = Array.from({ length: 21 }, (_, index) => outcome(index));
    const { out } = await outcomes();
    expect(out).toMatch(/add-19 .*\nthere are more: --limit 200, or --json for all of them\n$/);
    expect((await outcomes('--limit', '21')).out).not.toContain('there are more');
  });

  it('goes through the pages up to the limit', async () => {
    stored = Array.from({ length: 2500 }, (_, index) => outcome(index));
    expect((await outcomes('--limit', '1001')).out.split('\n')).toHaveLength(1 + 1001 + 1 + 1);
    expect(asked.map(({ searchParams }) => searchParams.get('limit'))).toEqual(['1000', '1']);
  });

  it('prints every answer as a line of JSON with --json', async () => {
    stored = Array.from({ length: 1200 }, (_, index) => outcome(index));
    const { out } = await outcomes('--json');
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as RawOutcome),
    ).toEqual(stored);
    expect((await outcomes('--json', '--limit', '3')).out.trimEnd().split('\n')).toHaveLength(3);
  });

  it('lets no answer reach the terminal', async () => {
    stored = [outcome(1, { example_id: 'a\u001b[2J', completion_text: 'x\u202ey\u0085z', detail: { got: '\u009b31m' } })];
    const [people, programs] = [await outcomes(), await outcomes('--json')];
    for (const { out } of [people, programs]) expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(JSON.parse(programs.out)).toEqual(stored[0]);
    expect(programs.out.trimEnd()).not.toContain('\n');
  });

  it('says when there are none', async () => {
    expect((await outcomes()).out).toBe('no answers yet\n');
    expect((await outcomes('--kind', 'error,invalid')).out).toBe('no answers of kind error or invalid\n');
    expect(await outcomes('--json')).toEqual({ code: 0, out: '', err: '' });
  });

  it.each([
    ['--kind', 'wrong', /no kind "wrong"\n.*pass, fail, invalid, error/],
    ['--limit', '0', /at least 1/],
    ['--run-index', '-1', /0 for the first/],
  ])('answers %s %s with exit code 2', async (option, value, message) => {
    const { code, err } = await outcomes(option, value);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
    expect(asked).toEqual([]);
  });
});
