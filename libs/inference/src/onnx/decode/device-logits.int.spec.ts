import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GenerationInput } from '@kiln/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FileMemo } from '../../file-memo.js';
import { type SampleRequest } from '../../generator.js';
import { loadOrtLibrary } from '../../ort/ort-library.js';
import { writeGeneratedModel } from '../../testing/graphs/write-generated-model.js';
import { arithmeticQuestions, collect, MODELS, onnxTarget, sampleRequest } from '../../testing/onnx-target.fixture.js';
import { newReader, verifyModel } from '../load-model.js';
import { ModelSession, type ModelSessionOptions } from '../model-session.js';
import { OnnxGenerator } from '../onnx-generator.js';
import { preparePrompt } from '../prepare-prompt.js';
import { Completion } from './completion.js';
import { DecodeBatch } from './decode-batch.js';
import { SlotDecoder } from './slot-decoder.js';
import { type Advance, type TokenChooser } from './token-chooser.js';

const DEVICE = { kind: 'cpu', asDevice: true } as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-head-'));
  const tokenizerFrom = join(MODELS, 'tiny-arith');
  await writeGeneratedModel(join(folder, 'random'), { tokenizerFrom });
  await writeGeneratedModel(join(folder, 'all-logits'), { tokenizerFrom, graph: { attention: 'plain', logits: 'all' } });
  await writeGeneratedModel(join(folder, 'halves'), { tokenizerFrom, graph: { type: 'float16' } });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0)) await each.close();
});

/** Asks for all logits where the completion would, and counts. Being asked again must be for the same moment. */
class Counted implements TokenChooser {
  readonly temperature: number;
  readonly #inner: Completion;
  #undecidedAt: number | null = null;
  asked = 0;
  whole = 0;

  constructor(inner: Completion) {
    this.#inner = inner;
    this.temperature = inner.temperature;
  }

  start(now: number): void {
    this.#inner.start(now);
  }

  advance(logits: Parameters<TokenChooser['advance']>[0], now: number): Advance {
    if (logits instanceof Float32Array) this.whole++;
    else this.asked++;
    if (now !== (this.#undecidedAt ?? now)) throw new Error(`undecided at ${this.#undecidedAt}, and asked again for ${now}`);
    const advance = this.#inner.advance(logits, now);
    this.#undecidedAt = advance === 'undecided' ? now : null;
    return advance;
  }

  fail(): void {
    throw new Error('nothing fails here');
  }
}

const MODELS_HERE: Record<string, () => [name: string, directory: string]> = {
  'tiny-arith': () => ['tiny-arith', MODELS],
  random: () => ['random', folder],
  'all-logits': () => ['all-logits', folder],
  halves: () => ['halves', folder],
};

/** Texts, and how many rows of logits were brought to the CPU. */
async function decode(model: string, generation: GenerationInput, provider?: ModelSessionOptions['provider']) {
  const [name, modelDir] = MODELS_HERE[model]!();
  const target = await onnxTarget(name, null, modelDir);
  const verified = await verifyModel(target, { modelDir, memo: new FileMemo() });
  const options = { threads: 1, maxBatch: 8, takesAdapters: false, ...(provider && { provider }) };
  const session = await ModelSession.open(verified.directory.graphPath, verified.summary, options);
  closing.push(session);
  let clock = 0;
  const batch = new DecodeBatch(new SlotDecoder(session.session, session.layout, session.rules, { slots: 8, width: 128 }), {
    now: () => ++clock,
    onProgress: () => {},
  });
  batch.use(await session.adapter(null, async () => new Map()));
  const reader = await newReader(target, verified);
  // The same prompt twice: the second one begins on logits that were kept, at another temperature.
  const samples = arithmeticQuestions(4).flatMap(({ question }, index) =>
    [0, 1].map((turn) => {
      const colder = turn === 1 ? { temperature: (generation.temperature ?? 0) * 0.8 } : {};
      return sampleRequest(target, question, { seed: String(index), generation: { ...generation, ...colder } });
    }),
  );
  const completions = samples.map((sample) => {
    const prompt = preparePrompt(sample, reader);
    if ('code' in prompt) throw new Error(prompt.message);
    const completion = new Completion(sample, prompt, new Set(verified.directory.endTokens));
    return { completion, chooser: new Counted(completion), promptTokens: prompt.tokens };
  });
  for (const { chooser, promptTokens } of completions) {
    await batch.admit({ completion: chooser, promptTokens, isCancelled: () => false, finish: () => {} });
    while (batch.isReading) await batch.read();
  }
  while (batch.live > 0) {
    await batch.step();
    await batch.retire();
  }
  batch.release();
  const texts = completions.map(({ completion }) => {
    const result = completion.result(0);
    return result.ok ? Buffer.from(result.trace.rawBytes).toString('hex') : result.error.message;
  });
  const sum = (of: 'asked' | 'whole') => completions.reduce((total, { chooser }) => total + chooser[of], 0);
  return { texts, asked: sum('asked'), whole: sum('whole') };
}

describe.each(Object.keys(MODELS_HERE))('rows of %s on a device', (model) => {
  it.each<[string, GenerationInput, 'none' | 'some' | 'all']>([
    ['greedy', { temperature: 0 }, 'none'],
    ['top_k', { temperature: 0.9, top_k: 40 }, 'none'],
    ['top_k and top_p', { temperature: 0.9, top_k: 40, top_p: 0.95 }, 'none'],
    ['a penalty', { temperature: 0.9, repetition_penalty: 1.1 }, 'all'],
    ['a bias', { temperature: 0, logit_bias: { '60': -100 } }, 'all'],
    ['more than the candidates', { temperature: 1.8, top_k: 400 }, 'some'],
  ])('have the tokens of the CPU, and are brought there as often as need be: %s', async (_, settings, brought) => {
    const generation = { max_tokens: 12, ...settings };
    const [cpu, device] = [await decode(model, generation), await decode(model, generation, DEVICE)];
    expect(device.texts).toEqual(cpu.texts);
    expect(cpu.asked).toBe(0);
    expect(device.asked).toBe(cpu.whole);
    if (brought === 'none') expect(device.whole).toBe(0);
    else if (brought === 'all') expect(device.whole).toBe(device.asked);
    else expect(device.whole).toBeLessThan(device.asked);
  });
});

describe('rows that candidates do not decide', () => {
  it('are the few whose draw falls behind them', async () => {
    const device = await decode('random', { max_tokens: 24, temperature: 2 }, DEVICE);
    expect(device.whole).toBeGreaterThan(0);
    expect(device.whole).toBeLessThan(device.asked / 2);
    expect(device.texts).toEqual((await decode('random', { max_tokens: 24, temperature: 2 })).texts);
  });
});

describe('OnnxGenerator on a device', () => {
  it.each<[string, GenerationInput]>([
    ['greedy', { temperature: 0 }],
    ['sampled', { temperature: 0.9, top_p: 0.95 }],
    ['sampled with penalties', { temperature: 0.9, frequency_penalty: 0.3, logit_bias: { '50': 2 } }],
    ['within a budget for reasoning', { temperature: 0.7, thinking_budget_tokens: 5, chat_template_kwargs: { enable_thinking: true } }],
  ])('answers as on the CPU, with an adapter and without: %s', async (_, generation) => {
    const { census } = (await loadOrtLibrary()).library!;
    const before = census.counts();
    const targets = [await onnxTarget('tiny-arith'), await onnxTarget('tiny-arith', 'math-v2'), await onnxTarget('tiny-arith-plain')];
    const samples = targets.flatMap((target, index) =>
      arithmeticQuestions(12).map(({ question }, turn) =>
        sampleRequest(target, question, { id: `${index} ${turn}`, seed: String(turn), generation }),
      ),
    );
    const answers: unknown[] = [];
    for (const provider of [undefined, DEVICE]) {
      const generator = new OnnxGenerator({ modelDir: MODELS, threads: 1, maxBatch: 8, ...(provider && { provider }) });
      for (const target of targets) await generator.load(target);
      answers.push(await bytesOf(generator, samples));
      await generator.close();
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(census.counts()).toEqual(before);
  });
});

async function bytesOf(generator: OnnxGenerator, samples: readonly SampleRequest[]): Promise<string[]> {
  const results = await collect(generator, samples);
  return samples.map(({ id }) => {
    const result = results.get(id)!;
    return result.ok ? Buffer.from(result.trace.rawBytes).toString('hex') : result.error.message;
  });
}
