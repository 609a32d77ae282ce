import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type FrozenEndpointTarget, type FrozenModelTarget } from '@kiln/contracts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildEngine } from '../testing/build-engine.fixture.js';
import { completion, sendJson, startChatServer } from '../testing/chat-server.fixture.js';
import { collect, ECHO_TARGET, MODELS, onnxTarget, sampleRequest, trace } from '../testing/onnx-target.fixture.js';
import { createEngine, type Engine, type EngineOptions } from './create-engine.js';
import { EngineCrashed } from './engine-crashed.js';

let base: FrozenModelTarget;
beforeAll(async () => {
  await buildEngine();
  base = await onnxTarget('tiny-arith');
}, 120_000);

const engines: Engine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

function open(options: Partial<EngineOptions> = {}): Engine & { crashes: EngineCrashed[] } {
  const crashes: EngineCrashed[] = [];
  const engine = createEngine({ kinds: ['onnx', 'echo', 'openai'], modelDir: MODELS, onCrash: (crash) => crashes.push(crash), ...options });
  engines.push(engine);
  return Object.assign(engine, { crashes });
}

const echoes = (count: number, prefix = 'e') =>
  Array.from({ length: count }, (_, index) => sampleRequest(ECHO_TARGET, `answer ${prefix}${index}`, { id: `${prefix}${index}` }));
/** Long sums, so that decoding takes a while. */
const thoughts = (count: number, over: object = {}) =>
  Array.from({ length: count }, (_, index) =>
    sampleRequest(base, `${1000 + index} + ${9999 - index}?`, {
      id: `t${index}`,
      generation: { max_tokens: 400, temperature: 1.5, chat_template_kwargs: { enable_thinking: true } },
      seed: String(index),
      ...over,
    }),
  );

const questions = (count: number) =>
  Array.from({ length: count }, (_, index) => sampleRequest(base, `${100 + index} + ${900 - index}?`, { id: `q${index}` }));

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('createEngine', () => {
  it.runIf(process.platform === 'linux')('runs models in a process that asks for huge pages, and nothing else', async () => {
    const engine = open();
    await engine.load(base);
    await engine.load(ECHO_TARGET);
    const { onnx, echo } = engine.pids();
    expect(await readFile(`/proc/${onnx}/environ`, 'utf8')).toContain('glibc.malloc.hugetlb=1');
    expect(await readFile(`/proc/${echo}/environ`, 'utf8')).not.toContain('hugetlb');
  });

  it('forks a child per kind, when it is first needed', async () => {
    const engine = open();
    expect(engine.pids()).toEqual({});
    expect(await trace(engine, sampleRequest(ECHO_TARGET, 'Hello'))).toMatchObject({
      text: 'Hello',
      rawBytes: new TextEncoder().encode('Hello'),
    });
    expect(Object.keys(engine.pids())).toEqual(['echo']);
    expect(await trace(engine, sampleRequest(base, '12 + 30?'))).toMatchObject({ text: '42' });
    expect(Object.keys(engine.pids()).toSorted()).toEqual(['echo', 'onnx']);
  });

  it('gives every sample of many calls exactly one result', async () => {
    const engine = open();
    const calls = await Promise.all([3000, 1, 700, 0, 5].map((count, index) => collect(engine, echoes(count, `c${index}-`))));
    expect(calls.map(({ size }) => size)).toEqual([3000, 1, 700, 0, 5]);
    expect(calls[0]!.get('c0-2999')).toMatchObject({ ok: true, trace: { text: 'answer c0-2999' } });
  });

  it('serves several kinds in one call', async () => {
    const results = await collect(open(), [sampleRequest(ECHO_TARGET, 'Hi', { id: 'e' }), sampleRequest(base, '12 + 30?', { id: 'm' })]);
    expect(results.get('e')).toMatchObject({ ok: true, trace: { text: 'Hi' } });
    expect(results.get('m')).toMatchObject({ ok: true, trace: { text: '42' } });
    expect(results.size).toBe(2);
  });

  it('decodes as many samples together as it is told', async () => {
    const samples = [...thoughts(1), sampleRequest(base, '12 + 30?', { id: 'short' })];
    const order = async (engine: Engine) => [...(await collect(engine, samples)).keys()];
    expect(await order(open()), 'both at once: the shorter one ends first').toEqual(['short', 't0']);
    expect(await order(open({ maxBatch: 1 })), 'one after the other').toEqual(['t0', 'short']);
  });

  it('does not come up on a provider that is not here, and says why and what to do', async () => {
    const engine = open({ provider: { kind: 'cuda', deviceId: 0 } });
    await expect(engine.start('onnx')).rejects.toThrow(
      /cannot compute on cuda: .*libonnxruntime_providers_cuda\.so.* \(.*or set worker\.provider to cpu\)/,
    );
    await expect(engine.load(base)).rejects.toBeInstanceOf(EngineCrashed);
    await open().start('onnx');
  });

  it('acknowledges loads with what was loaded, and refuses with a code', async () => {
    const engine = open();
    expect(await engine.load(base)).toMatchObject({ contextTokens: 512, provenance: { onnxruntime: '1.30.0' } });
    const changed = { ...base, model_digest: 'sha256:0' };
    await expect(engine.load(changed)).rejects.toMatchObject({ name: 'KilnError', code: 'target_changed' });
    const results = await collect(engine, [
      sampleRequest(changed, 'x', { id: 'changed' }),
      sampleRequest(base, '12 + 30?', { id: 'same' }),
    ]);
    expect(results.get('changed')).toMatchObject({ ok: false, error: { code: 'target_changed', retryable: false } });
    expect(results.get('same')).toMatchObject({ ok: true });
    await engine.unload(base);
    expect((await collect(engine, [sampleRequest(base, '12 + 30?')])).get('sample')).toMatchObject({ ok: true });
  });

  it('unloads nothing that a call still needs', async () => {
    const engine = open();
    await engine.load(base);
    const prober = async () => {
      await engine.load({ ...base });
      await engine.unload({ ...base });
    };
    // More than the child holds at a time: the rest is sent to it after the unload.
    const results: boolean[] = [];
    for await (const { ok } of engine.generate(questions(400), new AbortController().signal)) {
      if (results.push(ok) === 10) await prober();
    }
    expect(results).toEqual(Array.from({ length: 400 }, () => true));
  });

  it('refuses kinds that it was not given, and ids that are not distinct', async () => {
    const engine = open({ kinds: ['echo'] });
    expect(() => engine.generate([sampleRequest(base, 'x')], new AbortController().signal)).toThrow(/does not serve/);
    expect(() => engine.generate([...echoes(1), ...echoes(1)], new AbortController().signal)).toThrow(/distinct ids/);
  });

  it('answers from an endpoint with the key from the environment', async () => {
    const server = await startChatServer((response) => sendJson(response, 200, completion({ content: 'Hi' })));
    vi.stubEnv('ENGINE_TEST_API_KEY', 'sk-1');
    const target: FrozenEndpointTarget = {
      kind: 'endpoint',
      base_url: server.url,
      model: 'm',
      api_key_env: 'ENGINE_TEST_API_KEY',
      revision: null,
      headers: {},
      timeout_ms: 5000,
      concurrency: 2,
      pricing: { kind: 'free' },
    };
    expect(await trace(open(), sampleRequest(target, 'Hello'))).toMatchObject({ text: 'Hi' });
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-1');
    vi.unstubAllEnvs();
    await server.close();
  });
});

describe('cancelling', () => {
  it('ends the call at once, keeps the child, and frees it for others', async () => {
    const engine = open();
    await engine.load(base);
    const { onnx } = engine.pids();
    const abort = new AbortController();
    const cancelled = collect(engine, thoughts(200), abort.signal);
    await sleep(100);
    const aborted = performance.now();
    abort.abort();
    expect((await cancelled).size).toBeLessThan(200);
    expect(performance.now() - aborted).toBeLessThan(1000);
    expect(await trace(engine, sampleRequest(base, '12 + 30?'))).toMatchObject({ text: '42' });
    expect(engine.pids().onnx).toBe(onnx);
  });

  it('is what breaking out of the iteration does', async () => {
    const engine = open();
    let seen = 0;
    for await (const _ of engine.generate(echoes(5000), new AbortController().signal)) if (++seen === 10) break;
    expect((await collect(engine, echoes(600))).size).toBe(600);
  });

  it('before it began gives nothing', async () => {
    const engine = open();
    expect((await collect(engine, echoes(3), AbortSignal.abort())).size).toBe(0);
    expect(engine.pids()).toEqual({});
  });
});

describe('a consumer that stops reading', () => {
  it('holds back its own samples only', async () => {
    const engine = open();
    const slow = engine.generate(echoes(5000, 's'), new AbortController().signal)[Symbol.asyncIterator]();
    await slow.next();
    expect((await collect(engine, echoes(2000, 'f'))).size).toBe(2000);
    let rest = 0;
    while ((await slow.next()).done !== true) rest++;
    expect(rest).toBe(4999);
  });
});

describe('a child that ends', () => {
  it('rejects what was in it, names it, and is replaced', async () => {
    const engine = open();
    await engine.load(base);
    const { onnx } = engine.pids();
    const running = collect(engine, thoughts(100));
    await sleep(100);
    process.kill(onnx!, 'SIGKILL');
    const crash = (await running.catch((error: unknown) => error)) as EngineCrashed;
    expect(crash).toBeInstanceOf(EngineCrashed);
    expect(crash).toMatchObject({ kind: 'onnx', exitCode: null, signal: 'SIGKILL', hung: false });
    expect(crash.inFlight.length).toBeGreaterThan(0);
    expect(engine.crashes).toHaveLength(1);
    expect(await trace(engine, sampleRequest(base, '12 + 30?'))).toMatchObject({ text: '42' });
    expect(engine.pids().onnx).not.toBe(onnx);
  });

  it('keeps results that had arrived', async () => {
    const engine = open();
    await engine.load(base);
    const seen: string[] = [];
    const read = async () => {
      for await (const { id } of engine.generate(thoughts(200), new AbortController().signal)) {
        if (seen.push(id) === 1) process.kill(engine.pids().onnx!, 'SIGKILL');
      }
    };
    const crash = (await read().catch((error: unknown) => error)) as EngineCrashed;
    expect(seen.length).toBeGreaterThan(0);
    expect(crash.inFlight.filter((id) => seen.includes(id))).toEqual([]);
  });

  it('lets calls that only waited go on with the next one', async () => {
    const engine = open();
    await engine.load(base);
    process.kill(engine.pids().onnx!, 'SIGSTOP');
    const first = collect(engine, thoughts(300)).catch((error: unknown) => error);
    await sleep(50);
    // All credits are with the first call, so this one has nothing in the child.
    const waiting = collect(engine, [sampleRequest(base, '12 + 30?')]);
    await sleep(50);
    process.kill(engine.pids().onnx!, 'SIGKILL');
    expect(await first).toBeInstanceOf(EngineCrashed);
    expect((await waiting).get('sample')).toMatchObject({ ok: true, trace: { text: '42' } });
  });

  it('without work in it is nobody’s failure', async () => {
    const engine = open();
    await collect(engine, echoes(1));
    process.kill(engine.pids().echo!, 'SIGKILL');
    await vi.waitFor(() => expect(engine.pids()).toEqual({}));
    expect((await collect(engine, echoes(2))).size).toBe(2);
  });

  it('is killed when it hangs longer than a deadline, and the next call goes on', async () => {
    const engine = open({ hangGraceMs: 200 });
    await engine.load(base);
    process.kill(engine.pids().onnx!, 'SIGSTOP');
    const stopped = performance.now();
    await expect(collect(engine, thoughts(50, { deadlineMs: 300 }))).rejects.toMatchObject({
      name: 'EngineCrashed',
      hung: true,
      signal: 'SIGKILL',
    });
    expect(performance.now() - stopped).toBeLessThan(10_000);
    expect(await trace(engine, sampleRequest(base, '12 + 30?'))).toMatchObject({ text: '42' });
  });

  it('is not taken for hung while it is slow but alive', async () => {
    const engine = open({ hangGraceMs: 0 });
    await engine.load(base);
    const results = await collect(engine, thoughts(120, { deadlineMs: 1500 }));
    expect(results.size).toBe(120);
    expect(engine.crashes).toEqual([]);
  });

  it('is told apart from one that cannot load within its time', async () => {
    const engine = open({ loadTimeoutMs: 5000 });
    await collect(engine, echoes(1));
    process.kill(engine.pids().echo!, 'SIGSTOP');
    await expect(engine.load({ ...ECHO_TARGET, model: 'another' })).rejects.toMatchObject({ name: 'EngineCrashed', hung: true });
  });
});

describe('the end', () => {
  it('of the engine ends its children and its calls', async () => {
    const engine = open();
    await engine.load(base);
    await collect(engine, echoes(1));
    const pids = Object.values(engine.pids());
    const running = collect(engine, thoughts(100)).catch((error: unknown) => error);
    await sleep(50);
    await engine.close();
    expect(await running).toMatchObject({ name: 'KilnError', message: expect.stringContaining('closed') });
    expect(pids.map(isAlive)).toEqual([false, false]);
    await expect(engine.load(base)).rejects.toThrow(/closed/);
    expect(engine.crashes).toEqual([]);
  });

  it('does not come from Ctrl-C, which reaches children too', async () => {
    const engine = open();
    await collect(engine, echoes(1));
    const { echo } = engine.pids();
    process.kill(echo!, 'SIGINT');
    process.kill(echo!, 'SIGTERM');
    expect((await collect(engine, echoes(2))).size).toBe(2);
    expect(engine.pids().echo).toBe(echo);
  });

  it('comes when the supervisor is gone', async () => {
    const program = `
      import { createEngine } from ${JSON.stringify(fileURLToPath(new URL('../../dist/index.js', import.meta.url)))};
      const engine = createEngine({ kinds: ['onnx'], modelDir: ${JSON.stringify(MODELS)} });
      await engine.load(${JSON.stringify(base)});
      console.log(engine.pids().onnx);
      setInterval(() => {}, 1000);`;
    const supervisor = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface(supervisor.stdout), 'line')) as [string];
    const pid = Number(line);
    expect(isAlive(pid)).toBe(true);
    supervisor.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 5000 });
  });
});
