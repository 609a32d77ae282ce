import { type RunResponse } from '@kiln/contracts';
import { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { finish, work } from '../jobs/work.fixture.js';
import { additions, jsonl } from '../suites/suite.fixture.js';
import { startApi, type TestApi } from '../test-api.fixture.js';

/** Small, so that a stream of some megabytes is far above it. */
const LIMIT = 256 * 1024;

// What injected requests cannot show: streams, connections, shutdown.
let api: TestApi;
let base: string;
let closed: boolean;

beforeEach(async () => {
  api = await startApi({ body_limit_bytes: LIMIT });
  await api.app.listen(0, '127.0.0.1');
  base = `http://127.0.0.1:${(api.app.getHttpServer().address() as AddressInfo).port}`;
  closed = false;
});
afterEach(async () => {
  if (!closed) await api.close();
});

const call = (path: string, init: RequestInit = {}) =>
  fetch(base + path, { ...init, headers: { authorization: `Bearer ${api.key}`, ...init.headers } });

/** A stream of `count` examples behind a header; `change` may spoil a line. */
function upload(name: string, count: number, change: (line: string, n: number) => string = (line) => line): ReadableStream<Uint8Array> {
  const [header = ''] = jsonl({ ...additions(name, 1), examples: [] }).split('\n');
  let n = -1;
  return new ReadableStream({
    pull(controller) {
      const lines: string[] = [];
      for (let each = 0; each < 500 && n < count; each += 1, n += 1) {
        const example = { id: `e${n}`, messages: [{ role: 'user', content: `${n} `.repeat(200) }], target: String(n) };
        lines.push(n < 0 ? header : change(JSON.stringify(example), n));
      }
      if (lines.length > 0) controller.enqueue(Buffer.from(`${lines.join('\n')}\n`));
      if (n >= count) controller.close();
    },
  });
}

const post = (body: ReadableStream<Uint8Array>, query = '') =>
  call(`/v1/eval/suites${query}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/jsonl' },
    duplex: 'half',
  } as RequestInit);

describe('a streamed upload', () => {
  it('above the body limit is registered, and streamed back', async () => {
    const count = 5_000;
    const answer = await post(upload('large', count));
    expect(await answer.json()).toMatchObject({ status: 'created', suite: { num_examples: count } });

    let bytes = 0;
    for await (const chunk of (await call('/v1/eval/suites/large?format=jsonl')).body as unknown as AsyncIterable<Uint8Array>)
      bytes += chunk.length;
    expect(bytes).toBeGreaterThan(10 * LIMIT);
  });

  it('with a bad line in its middle gets the answer that names it, and stores nothing', async () => {
    const before = await api.rowCounts();
    const answer = await post(upload('spoiled', 5_000, (line, n) => (n === 1_000 ? line.slice(0, -1) : line)));
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: { message: string } }).error.message).toContain('line 1002');
    expect(await api.rowCounts()).toEqual(before);
    expect((await call('/v1/eval/suites')).status).toBe(200);
  });

  it('with an id twice names both lines, and stores nothing', async () => {
    const before = await api.rowCounts();
    const answer = await post(upload('doubled', 3_000, (line, n) => (n === 2_900 ? line.replace('e2900', 'e100') : line)));
    expect(answer.status).toBe(400);
    const { error } = (await answer.json()) as { error: { message: string } };
    expect(error.message).toContain('line 2902: id');
    expect(error.message).toContain('line 102: id');
    expect(await api.rowCounts()).toEqual(before);
  });

  it('that breaks off stores nothing', async () => {
    const before = await api.rowCounts();
    const controller = new AbortController();
    const endless = new ReadableStream<Uint8Array>({
      async pull(stream) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        stream.enqueue(Buffer.from(`${jsonl(additions('cut', 1)).split('\n')[0]}\n`));
      },
    });
    const sending = call('/v1/eval/suites', {
      method: 'POST',
      body: endless,
      headers: { 'content-type': 'application/jsonl' },
      duplex: 'half',
      signal: controller.signal,
    } as RequestInit);
    setTimeout(() => controller.abort(), 200);
    await sending.then((answer) => answer.text()).catch(() => undefined);
    expect(await api.rowCounts()).toEqual(before);
  });
});

async function* eventsOf(answer: Response): AsyncGenerator<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield text.slice(0, end);
      text = text.slice(end + 2);
    }
  }
}

async function submit(): Promise<string> {
  const answer = await call('/v1/eval/run', {
    method: 'POST',
    body: JSON.stringify({ inline_suite: additions('s', 5) }),
    headers: { 'content-type': 'application/json' },
  });
  return ((await answer.json()) as RunResponse).job_id;
}

describe('the event stream', () => {
  it('tells a job’s progress and its end, and closes', async () => {
    const id = await submit();
    const answer = await call(`/v1/eval/jobs/${id}/events`);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const seen: string[] = [];
    for await (const event of eventsOf(answer)) {
      seen.push(event);
      if (seen.length === 2) await work(api, id, () => ({ kind: 'pass' }));
      if (seen.length === 3) await finish(api, id);
    }
    expect(seen.map((event) => /^(?:id: (\S+)|retry)/.exec(event)?.[1])).toEqual([
      undefined,
      'queued.-.0.0.0',
      'running.-.5.5.0',
      'completed.-.5.5.0',
    ]);
    expect(seen.at(-1)).toContain('event: end');
  });

  it('goes on from Last-Event-ID', async () => {
    const id = await submit();
    const answer = await call(`/v1/eval/jobs/${id}/events`, { headers: { 'last-event-id': 'queued.-.0.0.0' } });
    setTimeout(() => void work(api, id, () => ({ kind: 'fail' })).then(() => finish(api, id)), 300);
    const ids: (string | undefined)[] = [];
    for await (const event of eventsOf(answer)) ids.push(/^id: (\S+)/.exec(event)?.[1]);
    expect(ids[0]).toBeUndefined();
    expect(ids).not.toContain('queued.-.0.0.0');
    expect(ids.at(-1)).toBe('completed.-.5.0.0');
  });
});

describe('stopping', () => {
  it('ends streams and waits, finishes what is in flight, and refuses the rest', async () => {
    const id = await submit();
    const stream = eventsOf(await call(`/v1/eval/jobs/${id}/events`));
    await stream.next();
    const waiting = call(`/v1/eval/jobs/${id}?wait=60`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const startedAt = performance.now();
    closed = true;
    const closing = api.close();
    expect((await waiting).status).toBe(200);
    for await (const event of stream) expect(event).toMatch(/^(id|:)/);
    await closing;
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await expect(call('/healthz')).rejects.toThrow('fetch failed');
  });
});
