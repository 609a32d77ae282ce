import { join } from 'node:path';
import { type FrozenModelTarget } from '@kiln/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SampleRequest } from '../generator.js';
import { arithmeticQuestions, collect, ECHO_TARGET, MODELS, onnxTarget, sampleRequest, trace } from '../testing/onnx-target.fixture.js';
import { readModelDirectory } from './model-directory.js';
import { OnnxGenerator } from './onnx-generator.js';
import { Tokenizer } from './text/tokenizer.js';

let base: FrozenModelTarget;
let math: FrozenModelTarget;
let plain: FrozenModelTarget;
let generator: OnnxGenerator;

beforeAll(async () => {
  [base, math, plain] = await Promise.all([onnxTarget('tiny-arith'), onnxTarget('tiny-arith', 'math-v2'), onnxTarget('tiny-arith-plain')]);
  generator = new OnnxGenerator({ modelDir: MODELS, threads: 1 });
  await Promise.all([base, math, plain].map((target) => generator.load(target)));
});
afterAll(() => generator.close());

const questions = arithmeticQuestions(60);
const samplesOf = (target: FrozenModelTarget, generation: object = {}): SampleRequest[] =>
  questions.map(({ question }, index) => sampleRequest(target, question, { id: String(index), seed: String(index * 7919), generation }));

async function tinyTokenizer(): Promise<Tokenizer> {
  const { tokenizer } = await readModelDirectory(join(MODELS, 'tiny-arith'));
  return new Tokenizer(tokenizer);
}

/** What was generated, comparable across runs. */
async function outputs(engine: OnnxGenerator, samples: readonly SampleRequest[]): Promise<string[]> {
  const results = await collect(engine, samples);
  return samples.map(({ id }) => {
    const result = results.get(id);
    return result?.ok === true
      ? `${Buffer.from(result.trace.rawBytes).toString('hex')} ${result.trace.tokenIds!.join(' ')}`
      : JSON.stringify(result);
  });
}

async function accuracy(target: FrozenModelTarget): Promise<number> {
  const results = await collect(generator, samplesOf(target, { max_tokens: 16 }));
  const right = questions.filter(({ answer }, index) => {
    const result = results.get(String(index));
    return result?.ok === true && result.trace.text.trim() === answer;
  });
  return right.length / questions.length;
}

describe('OnnxGenerator', () => {
  it('answers, right where the model is', async () => {
    expect(await trace(generator, sampleRequest(base, '12 + 30?'))).toMatchObject({
      text: '42',
      rawBytes: new TextEncoder().encode('42'),
      reasoningText: null,
      stopReason: 'stop',
      completionTokens: 3,
      cachedTokens: 0,
      usd: '0',
      priceBasis: 'free',
    });
  });

  it('shows the adapter’s effect', async () => {
    const [without, withAdapter] = [await accuracy(base), await accuracy(math)];
    expect(without).toBeGreaterThan(0.2);
    expect(withAdapter).toBeGreaterThan(without + 0.1);
  });

  it.each([
    ['greedy', {}],
    ['sampled', { temperature: 0.9, top_p: 0.95, top_k: 40 }],
  ])('gives a sample the same tokens alone and among others, %s', async (_, generation) => {
    const alone = new OnnxGenerator({ modelDir: MODELS, threads: 1, maxBatch: 1 });
    await alone.load(math);
    const samples = samplesOf(math, generation);
    expect(await outputs(generator, samples)).toEqual(await outputs(alone, samples));
    expect(await outputs(generator, samples.toReversed())).toEqual((await outputs(generator, samples)).toReversed());
    await alone.close();
  });

  it('gives the same greedy tokens with either kind of attention', async () => {
    expect(await outputs(generator, samplesOf(plain))).toEqual(await outputs(generator, samplesOf(base)));
  });

  it('draws by seed', async () => {
    const sampled = (seed: string) => trace(generator, sampleRequest(base, '417 × 93?', { seed, generation: { temperature: 1.5 } }));
    const texts = await Promise.all(['1', '2', '3', '4', '5', '6'].map(async (seed) => (await sampled(seed)).text));
    expect(new Set(texts).size).toBeGreaterThan(1);
    expect((await sampled('1')).text).toBe(texts[0]);
  });

  it('stops at max_tokens and at stop strings', async () => {
    const json = (generation: object) => trace(generator, sampleRequest(base, 'JSON with a 3 and b 45.', { generation }));
    expect(await json({ max_tokens: 40 })).toMatchObject({ text: '{"a": 3, "b": 45}', stopReason: 'stop' });
    expect(await json({ max_tokens: 2 })).toMatchObject({ stopReason: 'length', completionTokens: 2 });
    expect(await json({ max_tokens: 40, stop: [', "b"'] })).toMatchObject({ text: '{"a": 3', stopReason: 'stop_string' });
  });

  it('names every token that it generated: the end token, those after a stop string, and forced ones', async () => {
    const tokenizer = await tinyTokenizer();
    const [end] = tokenizer.encode('<|im_end|>');
    const read = async (question: string, generation: object) => {
      const { tokenIds, completionTokens, rawBytes, stopReason } = await trace(generator, sampleRequest(base, question, { generation }));
      expect(tokenIds).toHaveLength(completionTokens);
      return { ids: [...tokenIds!], decoded: tokenizer.decode([...tokenIds!]), raw: Buffer.from(rawBytes).toString(), stopReason };
    };
    const json = 'JSON with a 3 and b 45.';
    const stopped = await read(json, { max_tokens: 40 });
    expect(stopped).toMatchObject({ raw: '{"a": 3, "b": 45}', decoded: '{"a": 3, "b": 45}<|im_end|>', stopReason: 'stop' });
    expect(stopped.ids.at(-1)).toBe(end);
    expect(await read(json, { max_tokens: 2 })).toMatchObject({
      ids: stopped.ids.slice(0, 2),
      raw: tokenizer.decode(stopped.ids.slice(0, 2)),
    });
    const atString = await read(json, { max_tokens: 40, stop: [', "b"'] });
    expect(atString).toMatchObject({ raw: '{"a": 3', stopReason: 'stop_string' });
    expect(atString.decoded).toContain('{"a": 3, "b"');
    expect(stopped.ids.slice(0, atString.ids.length)).toEqual(atString.ids);

    const thinking = { max_tokens: 100, chat_template_kwargs: { enable_thinking: true }, thinking_budget_tokens: 5 };
    const cut = await read('1234 + 5678?', thinking);
    expect(cut.decoded).toBe(`${cut.raw}<|im_end|>`);
    const close = tokenizer.encode('</think>');
    expect(cut.ids.slice(5).join(' '), 'after 5 tokens of reasoning its end is forced').toContain(close.join(' '));

    // At such a temperature the model writes tokens that an encoder would not choose for their text.
    for (const sample of samplesOf(base, { temperature: 1.5, max_tokens: 30 })) {
      const { tokenIds, rawBytes, completionTokens, stopReason } = await trace(generator, sample);
      expect(tokenIds).toHaveLength(completionTokens);
      const text = [...tokenIds!].slice(0, stopReason === 'stop' ? -1 : undefined);
      expect(tokenizer.decode(text)).toBe(Buffer.from(rawBytes).toString());
    }
  });

  it('separates reasoning and enforces its budget', async () => {
    const think = (generation: object) =>
      trace(
        generator,
        sampleRequest(base, '1234 + 5678?', {
          generation: { max_tokens: 100, chat_template_kwargs: { enable_thinking: true }, ...generation },
        }),
      );
    const free = await think({});
    expect(free).toMatchObject({ unclosedThinking: false, thinkingBudget: { applied: false, triggered: false, closed: true } });
    expect(free.reasoningText).toMatch(/^4\+8\+0=12/);
    expect(free.text).toMatch(/^\d+$/);

    const cut = await think({ thinking_budget_tokens: 5 });
    expect(cut.thinkingBudget).toMatchObject({ applied: true, triggered: true, trigger: 'tokens', closed: true, thinking_tokens: 5 });
    expect(free.reasoningText!.startsWith(cut.reasoningText!)).toBe(true);
    expect(cut.text).toMatch(/^\d+$/);

    expect(await think({ thinking_budget_tokens: 0 })).toMatchObject({ reasoningText: '', unclosedThinking: false });
    expect((await think({ thinking_budget_ms: 0 })).thinkingBudget).toMatchObject({ trigger: 'time', thinking_tokens: 0 });
    expect(await think({ max_tokens: 4, thinking_budget_tokens: 50 })).toMatchObject({
      text: '',
      unclosedThinking: true,
      stopReason: 'length',
      thinkingBudget: { triggered: true, trigger: 'max_tokens', closed: false },
    });
  });

  it('calls tools in its own words', async () => {
    const tools = [
      { type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } } },
    ];
    const answer = await trace(generator, sampleRequest(base, 'What is the weather in Paris?', { tools, generation: { max_tokens: 60 } }));
    expect(answer).toMatchObject({
      toolCalls: null,
      text: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>',
    });
  });

  it('refuses a prompt that fills the context, and answers its neighbours', async () => {
    const results = await collect(generator, [
      sampleRequest(base, 'word '.repeat(600), { id: 'long' }),
      sampleRequest(base, '12 + 30?', { id: 'short' }),
    ]);
    expect(results.get('long')).toMatchObject({ ok: false, error: { code: 'prompt_too_long', retryable: false } });
    expect(results.get('short')).toMatchObject({ ok: true, trace: { text: '42' } });
  });

  it('ends an answer where the context ends', async () => {
    const result = await trace(generator, sampleRequest(base, '7'.repeat(480), { generation: { max_tokens: 2000, temperature: 2 } }));
    expect(result.promptTokens + result.completionTokens).toBeLessThanOrEqual(512);
  });

  it('ends a sample whose time is up as an error that may be retried', async () => {
    const results = await collect(generator, [sampleRequest(base, '12 + 30?', { deadlineMs: 0 })]);
    expect(results.get('sample')).toMatchObject({ ok: false, error: { code: 'deadline_exceeded', retryable: true } });
  });

  it('ends quietly when aborted, and goes on with other calls', async () => {
    const abort = new AbortController();
    const other = collect(generator, [sampleRequest(base, '12 + 30?')]);
    let seen = 0;
    for await (const _ of generator.generate(samplesOf(base), abort.signal)) if (++seen === 3) abort.abort();
    expect(seen).toBeGreaterThanOrEqual(3);
    expect(seen).toBeLessThan(60);
    expect((await other).size).toBe(1);
  });

  it('refuses targets that are not loaded, or not its own', async () => {
    await expect(collect(generator, [sampleRequest({ ...base, model: 'other' }, 'x')])).rejects.toMatchObject({
      code: 'target_not_served',
    });
    await expect(generator.load(ECHO_TARGET)).rejects.toMatchObject({ code: 'target_not_served' });
  });

  it('reports its execution provenance', async () => {
    const loaded = await generator.load(base);
    const decoding = {
      cache: 'slots',
      min_rows: 1,
      adapter_min_rows: 2,
      single_rows: false,
      step_sizes: null,
      prompt_reuse: 'anywhere',
      chunk_tokens: 512,
    };
    const provenance = { onnxruntime: '1.30.0', backend: 'ort-c', execution_provider: 'cpu', threads: 1, decoding };
    expect(loaded).toMatchObject({ contextTokens: 512, provenance });
  });

  it('samples by min-p, penalties and bias', async () => {
    const digits = (generation: object) =>
      trace(generator, sampleRequest(base, '12 + 30?', { generation: { max_tokens: 8, ...generation } }));
    // A token that may not be chosen, wherever it would have been.
    const [four] = Buffer.from((await digits({})).text);
    expect(String.fromCharCode(four!)).toBe('4');
    const ids = (await tinyTokenizer()).encode('4');
    const without = await digits({ logit_bias: Object.fromEntries(ids.map((id) => [id, -100])) });
    expect(without.text).not.toContain('4');
    expect(await digits({ temperature: 2, min_p: 1, seed: '7' })).toMatchObject({ text: '42' });
    // The question has a 2 already.
    expect((await digits({ repetition_penalty: 10 })).text).not.toContain('2');
    expect(await digits({ repetition_penalty: 1 })).toMatchObject({ text: '42' });
  });

  it('answers alike through the JavaScript API, with adapters and without, on few rows and on many', async () => {
    const js = new OnnxGenerator({ modelDir: MODELS, threads: 1, backend: 'ort-js', maxBatch: 8 });
    for (const target of [base, math, plain]) {
      await js.load(target);
      const samples = samplesOf(target, { temperature: 0.8 }).slice(0, 24);
      expect(await outputs(js, samples)).toEqual(await outputs(generator, samples));
    }
    await js.close();
  });

  it('decodes models and adapters in turns, and keeps nobody waiting for ever', async () => {
    const small = new OnnxGenerator({ modelDir: MODELS, threads: 1, maxBatch: 2 });
    await Promise.all([base, math, plain].map((target) => small.load(target)));
    const mixed = [base, math, plain, base, math].flatMap((target, turn) =>
      samplesOf(target)
        .slice(0, 6)
        .map((sample) => ({ ...sample, id: `${turn}-${sample.id}` })),
    );
    const expected = await outputs(generator, mixed);
    expect(await outputs(small, mixed)).toEqual(expected);
    await small.close();
  });

  it('ends what can never fit its memory as an error with the numbers, and answers the others', async () => {
    // 4 layers of keys and values for some 64 tokens, not for 512.
    const tight = new OnnxGenerator({ modelDir: MODELS, threads: 1, budget: { kvCacheBytes: 300_000 } });
    await tight.load(base);
    const results = await collect(tight, [
      sampleRequest(base, '12 + 30?', { id: 'long', generation: { max_tokens: 400 } }),
      sampleRequest(base, '12 + 30?', { id: 'short', generation: { max_tokens: 8 } }),
    ]);
    expect(results.get('long')).toMatchObject({
      ok: false,
      error: { code: 'out_of_memory', retryable: false, message: expect.stringContaining('worker.kv_cache_bytes allows 300000') },
    });
    expect(results.get('short')).toMatchObject({ ok: true, trace: { text: '42' } });
    await tight.close();
  });

  it('closes reasoning where the time was up before', async () => {
    const think = (over: object) =>
      trace(generator, {
        ...sampleRequest(base, '1234 + 5678?', {
          generation: { max_tokens: 100, thinking_budget_ms: 600_000, chat_template_kwargs: { enable_thinking: true } },
        }),
        ...over,
      });
    const replayed = await think({ thinkingTimeUpAt: 5 });
    expect(replayed.thinkingBudget).toMatchObject({ trigger: 'time', time_up_at: 5, thinking_tokens: 5, closed: true });
    expect((await think({})).thinkingBudget).toMatchObject({ applied: true, triggered: false });
  });

  it('serves samples that were in line when their target was unloaded', async () => {
    const small = new OnnxGenerator({ modelDir: MODELS, threads: 1, maxBatch: 1 });
    await Promise.all([base, plain].map((target) => small.load(target)));
    const running = [base, plain].map((target) => collect(small, samplesOf(target).slice(0, 6)));
    await small.unload(plain);
    for (const results of await Promise.all(running)) expect([...results.values()].filter(({ ok }) => ok)).toHaveLength(6);
    await expect(collect(small, [sampleRequest(plain, 'x')])).rejects.toMatchObject({ code: 'target_not_served' });
    await small.close();
  });

  it('ends what it was doing when it is closed', async () => {
    const own = new OnnxGenerator({ modelDir: MODELS, threads: 1 });
    await own.load(base);
    const running = collect(own, samplesOf(base, { max_tokens: 200, temperature: 2 }));
    await own.close();
    expect((await running).size).toBeLessThan(60);
  });

  it('unloads after its users, and loads again', async () => {
    const own = new OnnxGenerator({ modelDir: MODELS, threads: 1 });
    await own.load(base);
    const running = collect(own, samplesOf(base).slice(0, 8));
    await own.unload(base);
    expect((await running).size).toBe(8);
    await own.unload(base);
    await expect(collect(own, [sampleRequest(base, 'x')])).rejects.toMatchObject({ code: 'target_not_served' });
    await own.load(base);
    expect(await trace(own, sampleRequest(base, '12 + 30?'))).toMatchObject({ text: '42' });
    await own.close();
  });
});
