import { once } from 'node:events';
import { type FrozenEndpointTarget } from '@kiln/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { type SampleResult } from '../generator.js';
import { type Behaviour, type ChatServer, completion, sendJson, startChatServer } from '../testing/chat-server.fixture.js';
import { collect, sampleRequest } from '../testing/onnx-target.fixture.js';
import { OpenAiGenerator, type OpenAiGeneratorOptions } from './openai-generator.js';

const KEY = 'sk-secret-1234';
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function setUp(behave: Behaviour, over: Partial<FrozenEndpointTarget> = {}, options: Partial<OpenAiGeneratorOptions> = {}) {
  const server: ChatServer = await startChatServer(behave);
  const generator = new OpenAiGenerator({ readEnvironment: (name) => (name === 'TEST_API_KEY' ? KEY : undefined), ...options });
  cleanups.push(() => generator.close(), server.close);
  const target: FrozenEndpointTarget = {
    kind: 'endpoint',
    base_url: server.url,
    model: 'm-1',
    api_key_env: null,
    revision: null,
    headers: {},
    timeout_ms: 5000,
    concurrency: 4,
    pricing: { kind: 'per_token', input: '1', cached_input: '0.1', output: '2' },
    ...over,
  };
  const ask = async (request: Parameters<typeof sampleRequest>[2] = {}): Promise<SampleResult> =>
    (await collect(generator, [sampleRequest(target, 'Hello', request)])).get('sample')!;
  return { server, generator, target, ask };
}

const hello: Behaviour = (response) => sendJson(response, 200, completion({ content: 'Hi' }));

describe('OpenAiGenerator', () => {
  it('sends a request that any server understands', async () => {
    const { server, ask } = await setUp(hello, { headers: { 'x-team': 'evals' }, api_key_env: 'TEST_API_KEY' });
    await ask({ seed: '18446744073709551615' });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}`, 'x-team': 'evals' },
      body: {
        model: 'm-1',
        messages: [{ role: 'user', content: 'Hello' }],
        temperature: 0,
        max_tokens: 24,
        seed: 2 ** 31 - 1,
        stream: false,
      },
    });
    expect(Object.keys(server.requests[0]!.body).toSorted()).toEqual(['max_tokens', 'messages', 'model', 'seed', 'stream', 'temperature']);
  });

  it('sends settings that differ from defaults, and tools', async () => {
    const { server, ask } = await setUp(hello);
    const tools = [{ type: 'function', function: { name: 'f' } }];
    const penalties = { min_p: 0.1, repetition_penalty: 1.1, presence_penalty: 0.5, frequency_penalty: -0.5, logit_bias: { '7': -100 } };
    const generation = { top_p: 0.5, top_k: 20, stop: ['\n'], chat_template_kwargs: { enable_thinking: false }, ...penalties };
    await ask({ tools, generation });
    expect(server.requests[0]?.body).toMatchObject({
      ...penalties,
      top_p: 0.5,
      top_k: 20,
      stop: ['\n'],
      chat_template_kwargs: { enable_thinking: false },
      tools,
    });
  });

  it('reads text, usage and price in disjoint buckets', async () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 800 } };
    const { ask } = await setUp((response) => sendJson(response, 200, completion({ content: '42' }, { usage })));
    expect(await ask()).toMatchObject({
      ok: true,
      trace: {
        text: '42',
        rawBytes: new TextEncoder().encode('42'),
        tokenIds: null,
        promptTokens: 1000,
        cachedTokens: 800,
        completionTokens: 100,
        tokensEstimated: false,
        usd: '0.00048',
        priceBasis: 'per_token',
        stopReason: 'stop',
        thinkingBudget: { applied: false, triggered: false },
      },
    });
  });

  it('keeps tool calls and reasoning', async () => {
    const calls = [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }];
    const choice = { message: { content: null, tool_calls: calls, reasoning_content: 'hm' }, finish_reason: 'tool_calls' };
    const { ask } = await setUp((response) => sendJson(response, 200, completion({}, { choices: [choice] })));
    expect(await ask()).toMatchObject({ ok: true, trace: { text: '', toolCalls: calls, reasoningText: 'hm', unclosedThinking: false } });
  });

  it('separates reasoning that the server left in the text', async () => {
    const { ask } = await setUp((response) => sendJson(response, 200, completion({ content: 'hm</think>\n\n42' })));
    expect(await ask()).toMatchObject({ ok: true, trace: { text: '42', reasoningText: 'hm' } });
  });

  it('counts what was not reported at its bound, and calls its price unknown', async () => {
    const { ask } = await setUp((response) => sendJson(response, 200, completion({ content: 'Hi' }, { usage: null })));
    expect(await ask()).toMatchObject({
      ok: true,
      trace: { tokensEstimated: true, completionTokens: 24, usd: null, priceBasis: 'unknown' },
    });
  });

  it('tells why generation ended', async () => {
    const finish = ['length', 'stop', 'stop'];
    const { ask } = await setUp((response, index) => {
      const choice = { message: { content: 'x' }, finish_reason: finish[index], stop_reason: index === 2 ? '\n' : null };
      sendJson(response, 200, completion({}, { choices: [choice] }));
    });
    const reasons = [await ask(), await ask(), await ask()].map((result) => result.ok && result.trace.stopReason);
    expect(reasons).toEqual(['length', 'stop', 'stop_string']);
  });

  it('uses the field that newer hosted models want', async () => {
    const { server, ask } = await setUp((response, _, { body }) => {
      if (!('max_tokens' in body)) return hello(response, 0, { path: '', headers: {}, body });
      const message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
      sendJson(response, 400, { error: { message, code: 'unsupported_parameter' } });
    });
    expect([(await ask()).ok, (await ask()).ok]).toEqual([true, true]);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[2]?.body).toMatchObject({ max_completion_tokens: 24 });
  });
});

describe('a misbehaving endpoint', () => {
  const retried: [string, Behaviour][] = [
    ['429 with Retry-After', (response) => sendJson(response, 429, { error: { message: 'slow down' } }, { 'retry-after': '0' })],
    ['503', (response) => sendJson(response, 503, {}, { 'retry-after-ms': '1' })],
    ['a broken connection', (response) => response.destroy()],
    ['truncated JSON', (response) => response.writeHead(200).end('{"choices": [{"message": {"content": "4')],
    [
      'an answer cut off',
      (response) => response.writeHead(200, { 'content-length': '1000' }).write('{"choices"', () => response.destroy()),
    ],
    ['an error with status 200', (response) => sendJson(response, 200, { error: { message: 'overloaded' } })],
  ];
  it.each(retried)('is asked again after %s', async (_, misbehave) => {
    const { server, ask } = await setUp(
      (response, index, request) => (index < 2 ? misbehave : hello)(response, index, request),
      {},
      { random: () => 0.999 },
    );
    expect(await ask({ deadlineMs: 20_000 })).toMatchObject({ ok: true, trace: { text: 'Hi' } });
    expect(server.requests).toHaveLength(3);
  });

  it.each<[string, Behaviour, string, RegExp]>([
    ['400', (response) => sendJson(response, 400, { error: { message: 'bad\n field' } }), 'endpoint_refused', /400: bad field/],
    [
      '401 that quotes the key',
      (response) => sendJson(response, 401, { error: { message: `bad key ${KEY}` } }),
      'endpoint_unauthorized',
      /bad key \[key\]/,
    ],
    ['404', (response) => response.writeHead(404).end('<html>nginx</html>'), 'endpoint_refused', /404: <html>nginx/],
    ['a redirect', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), 'endpoint_refused', /302/],
    [
      'a used-up quota',
      (response) => sendJson(response, 429, { error: { code: 'insufficient_quota' } }),
      'endpoint_quota_exhausted',
      /429/,
    ],
    [
      'a prompt that is too long',
      (response) => sendJson(response, 400, { error: { code: 'context_length_exceeded' } }),
      'prompt_too_long',
      /400/,
    ],
    [
      'a huge body',
      (response) => response.writeHead(200).end(Buffer.alloc(300_000, 0x20)),
      'endpoint_response_too_large',
      /over 200000 bytes/,
    ],
  ])('is not asked again after %s', async (_, misbehave, code, message) => {
    const { server, ask } = await setUp(misbehave, { api_key_env: 'TEST_API_KEY' }, { maxResponseBytes: 200_000 });
    expect(await ask()).toEqual({ id: 'sample', ok: false, error: { code, message: expect.stringMatching(message), retryable: false } });
    expect(server.requests).toHaveLength(1);
  });

  it('stops reading a body that never ends', async () => {
    const { ask } = await setUp((response) => {
      const chunk = Buffer.alloc(65_536, 0x20);
      const pour = () => void (response.destroyed || response.write(chunk, pour));
      pour();
    });
    expect(await ask()).toMatchObject({ ok: false, error: { code: 'endpoint_response_too_large' } });
  });

  it('that hangs costs one time-out per attempt, and no more than the deadline', async () => {
    const { server, ask } = await setUp(() => {}, { timeout_ms: 50 }, { random: () => 0.999 });
    const started = performance.now();
    expect(await ask({ deadlineMs: 700 })).toMatchObject({ ok: false, error: { code: 'endpoint_timeout', retryable: true } });
    expect(performance.now() - started).toBeLessThan(2000);
    expect(server.requests.length).toBeGreaterThanOrEqual(2);
  });

  it('that asks to wait beyond the deadline is not waited for', async () => {
    const { server, ask } = await setUp((response) => sendJson(response, 429, {}, { 'retry-after': '60' }));
    const started = performance.now();
    expect(await ask({ deadlineMs: 5000 })).toMatchObject({
      ok: false,
      error: { code: 'endpoint_rate_limited', retryable: true, message: expect.stringContaining('no time for another attempt') },
    });
    expect(performance.now() - started).toBeLessThan(4000);
    expect(server.requests).toHaveLength(1);
  });

  it('is given up after the last attempt', async () => {
    const { server, ask } = await setUp(
      (response) => sendJson(response, 500, {}, { 'retry-after-ms': '0' }),
      {},
      { maxAttempts: 3, random: () => 0 },
    );
    expect(await ask()).toMatchObject({ ok: false, error: { code: 'endpoint_unavailable', retryable: true } });
    expect(server.requests).toHaveLength(3);
  });

  it('that is not there is an error that may be retried', async () => {
    const { generator, target, server } = await setUp(hello, {}, { maxAttempts: 1 });
    await server.close();
    const results = await collect(generator, [sampleRequest(target, 'Hello')]);
    expect(results.get('sample')).toMatchObject({
      ok: false,
      error: { code: 'endpoint_unreachable', retryable: true, message: expect.stringContaining('ECONNREFUSED') },
    });
  });
});

describe('limits', () => {
  it('never has more requests open than the target allows', async () => {
    let open = 0;
    let most = 0;
    const { generator, target } = await setUp(
      (response) => {
        most = Math.max(most, ++open);
        setTimeout(() => {
          open--;
          sendJson(response, 200, completion({ content: 'x' }));
        }, 10);
      },
      { concurrency: 3 },
    );
    const samples = Array.from({ length: 20 }, (_, index) => sampleRequest(target, 'x', { id: String(index) }));
    expect((await collect(generator, samples)).size).toBe(20);
    expect(most).toBe(3);
  });

  it('counts the deadline from the start of a sample, not from its place in line', async () => {
    const { generator, target } = await setUp((response) => setTimeout(() => sendJson(response, 200, completion({ content: 'x' })), 60), {
      concurrency: 1,
    });
    const samples = Array.from({ length: 6 }, (_, index) => sampleRequest(target, 'x', { id: String(index), deadlineMs: 200 }));
    expect([...(await collect(generator, samples)).values()].every(({ ok }) => ok)).toBe(true);
  });

  it('ends quietly when aborted, with open requests cancelled', async () => {
    const abort = new AbortController();
    const closings: Promise<unknown>[] = [];
    const { generator, target } = await setUp((response) => {
      closings.push(once(response, 'close'));
      abort.abort();
    });
    expect((await collect(generator, [sampleRequest(target, 'x')], abort.signal)).size).toBe(0);
    await closings[0];
  });
});

describe('the key', () => {
  it('must be set, and be a variable that may be a key', async () => {
    const missing = await setUp(hello, { api_key_env: 'OTHER_API_KEY' });
    expect(await missing.ask()).toMatchObject({
      ok: false,
      error: { code: 'endpoint_key_missing', message: expect.stringContaining('OTHER_API_KEY') },
    });
    for (const name of ['DATABASE_URL', 'AWS_SECRET_ACCESS_KEY', 'PGPASSWORD']) {
      const refused = await setUp(hello, { api_key_env: name }, { readEnvironment: () => KEY });
      expect(await refused.ask()).toMatchObject({ ok: false, error: { code: 'endpoint_key_refused' } });
      expect(refused.server.requests).toHaveLength(0);
    }
    const allowed = await setUp(hello, { api_key_env: 'MY_SECRET' }, { readEnvironment: () => KEY, allowedKeys: ['MY_SECRET'] });
    expect(await allowed.ask()).toMatchObject({ ok: true });
  });
});
