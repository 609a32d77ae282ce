import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Candidates } from '../../sampling/sample-candidates.js';
import { loadOrtLibrary } from '../../ort/ort-library.js';
import { GENERATED_LAYOUTS } from '../../testing/graphs/generated-layouts.fixture.js';
import { LayoutRunner } from '../../testing/graphs/layout-runner.fixture.js';
import { writeRandomAdapter } from '../../testing/graphs/random-adapter.fixture.js';
import { TINY_SHAPE } from '../../testing/graphs/decoder-graph-options.js';
import { writeGeneratedModel } from '../../testing/graphs/write-generated-model.js';
import { MODELS } from '../../testing/onnx-target.fixture.js';
import { type GraphSummary, summariseGraph } from '../graph-summary.js';
import { readAdapter } from '../load-model.js';
import { readModelDirectory } from '../model-directory.js';
import { ModelSession, type ModelSessionOptions } from '../model-session.js';
import { DecodeBatch, type DecodeJob } from './decode-batch.js';
import { decideNext } from './decide-next.js';
import { type DecodeRules } from './decode-rules.js';
import { SlotDecoder } from './slot-decoder.js';
import { type Advance, type TokenChooser } from './token-chooser.js';

const DEVICE = { kind: 'cpu', asDevice: true } as const;

let folder: string;
const sessions: ModelSession[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-batches-'));
  for (const [name, options] of Object.entries(GENERATED_LAYOUTS)) await writeGeneratedModel(join(folder, name), options);
  await writeRandomAdapter(join(folder, 'adapter'), TINY_SHAPE);
  await writeRandomAdapter(join(folder, 'adapter-attention'), TINY_SHAPE, { targets: ['gate_proj', 'up_proj', 'down_proj'] });
}, 60_000);
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function summaryOf(path: string): Promise<{ graphPath: string; summary: GraphSummary }> {
  const directory = await readModelDirectory(path);
  return { graphPath: directory.graphPath, summary: await summariseGraph(directory.graphPath, directory.portNames) };
}

async function open(path: string, options: Partial<ModelSessionOptions> = {}): Promise<ModelSession> {
  const { graphPath, summary } = await summaryOf(path);
  const session = await ModelSession.open(graphPath, summary, { threads: 1, takesAdapters: false, maxBatch: 32, ...options });
  sessions.push(session);
  return session;
}

/** Takes the likeliest token `count` times; remembers the bits of all logits. */
class Recorder implements TokenChooser {
  readonly tokens: number[] = [];
  readonly bits: string[] = [];
  readonly temperature = 0;
  isOver = false;
  readonly #count: number;

  constructor(count: number) {
    this.#count = count;
  }

  start(): void {}

  advance(logits: Float32Array | Candidates): Advance {
    if (!(logits instanceof Float32Array)) return 'undecided';
    this.bits.push(
      createHash('sha256')
        .update(Buffer.from(logits.buffer, logits.byteOffset, logits.byteLength))
        .digest('hex')
        .slice(0, 12),
    );
    this.tokens.push(logits.indexOf(logits.reduce((most, logit) => Math.max(most, logit))));
    return this.tokens.length < this.#count ? { token: this.tokens.at(-1)! } : 'over';
  }

  fail(): void {
    throw new Error('nothing fails here');
  }
}

interface Setting {
  slots: number;
  rules?: Partial<DecodeRules>;
  /** A directory. */
  adapter?: string;
  onStep?: (rows: number) => void;
}

interface Task {
  prompt: readonly number[];
  /** Tokens to generate. */
  count: number;
}

/** Decodes as the line does, on slots of its own. */
async function decode(
  session: ModelSession,
  tasks: readonly Task[],
  { slots, rules = {}, adapter, onStep = () => {} }: Setting,
): Promise<Recorder[]> {
  const decoder = new SlotDecoder(session.session, session.layout, { ...session.rules, ...rules }, { slots, width: 128 });
  const step = decoder.step.bind(decoder);
  decoder.step = (rows, ...rest) => {
    onStep(rows.length);
    return step(rows, ...rest);
  };
  const batch = new DecodeBatch(decoder, { now: () => 0, onProgress: () => {} });
  batch.use(await session.adapter(adapter ?? null, () => readAdapter(adapter!)));
  const recorders = tasks.map(({ count }) => new Recorder(count));
  const joining: DecodeJob[] = tasks.map(({ prompt }, index) => ({
    completion: recorders[index]!,
    promptTokens: prompt,
    isCancelled: () => false,
    finish: () => (recorders[index]!.isOver = true),
  }));
  for (;;) {
    const { finished, live, room, isReading, readSinceStep } = batch;
    const view = { finished, live, room, isReading, readSinceStep, joining: joining.length, waiting: 0, oldestFits: false };
    const action = decideNext(view);
    if (action === 'idle') break;
    if (action === 'admit') await batch.admit(joining.shift()!);
    else if (action === 'read') await batch.read();
    else if (action === 'step') await batch.step();
    else await batch.retire();
  }
  batch.release();
  expect(recorders.every(({ isOver }) => isOver)).toBe(true);
  return recorders;
}

/** Each task in slots of its own: nothing to be reused, no neighbours. */
async function alone(session: ModelSession, setting: Omit<Setting, 'slots'> = {}): Promise<Recorder[]> {
  const recorders: Recorder[] = [];
  for (const task of TASKS) recorders.push(...(await decode(session, [task], { ...setting, slots: 2 })));
  return recorders;
}

const bits = (recorders: readonly Recorder[]) => recorders.map((recorder) => recorder.bits);
const tokensOf = (recorders: readonly Recorder[]) => recorders.map(({ tokens }) => tokens);

const random = (seed: number, length: number) =>
  Array.from({ length }, (_, index) => 20 + ((seed * 7919 + index * 104_729 + index * index * 31) % 400));
const SHARED = random(99, 21);
/** Ragged lengths, a shared beginning, the same prompt several times, and one that is the beginning of another. */
const TASKS: Task[] = [
  ...Array.from({ length: 9 }, (_, index) => random(index, 2 + 3 * index)),
  ...Array.from({ length: 8 }, (_, index) => [...SHARED, ...random(index, 1 + index)]),
  ...Array.from({ length: 4 }, () => [...SHARED, ...random(5, 9)]),
  SHARED,
  [77],
  [77],
].map((prompt, index) => ({ prompt, count: 3 + (index % 7) }));

const LAYOUTS: [name: string, path: () => string][] = [
  ['tiny-arith', () => join(MODELS, 'tiny-arith')],
  ['tiny-arith-plain', () => join(MODELS, 'tiny-arith-plain')],
  ...Object.keys(GENERATED_LAYOUTS).map((name): [string, () => string] => [name, () => join(folder, name)]),
];

describe.each(LAYOUTS)('%s', (name, path) => {
  it('is computed to the bit alike, alone and among others, whatever is reused and in what order', async () => {
    const session = await open(path());
    const reference = bits(await alone(session));
    for (const slots of [2, 8, 32]) expect(bits(await decode(session, TASKS, { slots }))).toEqual(reference);
    expect(bits(await decode(session, TASKS.toReversed(), { slots: 8 })).toReversed()).toEqual(reference);
  });

  it('is computed to the bit alike when prompts are read in chunks', async () => {
    const session = await open(path());
    const rules = { chunkTokens: 8 };
    const reference = bits(await alone(session, { rules }));
    expect(bits(await decode(session, TASKS, { slots: 8, rules }))).toEqual(reference);
    // Where a prompt may begin anywhere on others, it may be cut anywhere, too.
    if (session.rules.reuse === 'anywhere') expect(bits(await alone(session))).toEqual(reference);
  });

  it('gives the tokens of the plainest use of its graph', async () => {
    const { graphPath, summary } = await summaryOf(path());
    const runner = await LayoutRunner.open(graphPath, summary.layout);
    const plain: number[][] = [];
    for (const { prompt, count } of TASKS) plain.push(await runner.greedy(prompt, count));
    await runner.release();
    const got = tokensOf(await decode(await open(path()), TASKS, { slots: 8 }));
    // Where activations are rounded, a step over one row, as here, rounds them in another way than one over several.
    if (/fp16|q4/.test(name)) expect(got.filter((list, index) => list.join() === plain[index]!.join()).length).toBeGreaterThan(12);
    else expect(got).toEqual(plain);
  });

  it('is computed to the bit alike through either API, and in memory that only the runtime reaches', async () => {
    const reference = bits(await decode(await open(path()), TASKS, { slots: 8 }));
    expect(bits(await decode(await open(path(), { backend: 'ort-js' }), TASKS, { slots: 8 }))).toEqual(reference);
    expect(bits(await decode(await open(path(), { provider: DEVICE }), TASKS, { slots: 8 }))).toEqual(reference);
  });
});

describe.each(['gqa', 'plain', 'gqa-q4', 'gqa-fp16', 'hybrid'])('an adapter on %s', (name) => {
  it('is fed to the session that serves the base, which computes to the bit what it did', async () => {
    const path = join(folder, name);
    const adapter = join(folder, name === 'hybrid' ? 'adapter-attention' : 'adapter');
    const session = await open(path, { takesAdapters: true });
    const base = bits(await alone(await open(path)));
    expect(bits(await decode(session, TASKS, { slots: 8 }))).toEqual(base);
    const reference = bits(await alone(session, { adapter }));
    for (const slots of [2, 8, 32]) expect(bits(await decode(session, TASKS, { slots, adapter }))).toEqual(reference);
    expect(bits(await decode(session, TASKS, { slots: 8 }))).toEqual(base);
    expect(reference).not.toEqual(base);
    const js = await open(path, { takesAdapters: true, backend: 'ort-js' });
    expect(bits(await decode(js, TASKS, { slots: 8, adapter }))).toEqual(reference);
    expect(bits(await decode(js, TASKS, { slots: 8 }))).toEqual(base);
  });
});

describe('DecodeBatch', () => {
  it.each(['gqa', 'plain', 'hybrid'])('computes to the bit alike on any number of threads: %s', async (name) => {
    const [one, two] = [await open(join(folder, name)), await open(join(folder, name), { threads: 2 })];
    expect(bits(await decode(two, TASKS, { slots: 8 }))).toEqual(bits(await decode(one, TASKS, { slots: 8 })));
  });

  it('reuses what was read: the same prompt once, a shared beginning once', async () => {
    const session = await open(join(folder, 'gqa'));
    let read = 0;
    const decoder = new SlotDecoder(session.session, session.layout, session.rules, { slots: 16, width: 128 });
    const prefill = decoder.prefill.bind(decoder);
    decoder.prefill = (slot, tokens, ...rest) => {
      read += tokens.length;
      return prefill(slot, tokens, ...rest);
    };
    const batch = new DecodeBatch(decoder, { now: () => 0, onProgress: () => {} });
    for (const { prompt } of TASKS.slice(9, 21)) {
      const completion = new Recorder(3);
      await batch.admit({ completion, promptTokens: prompt, isCancelled: () => false, finish: () => {} });
      while (batch.isReading) await batch.read();
    }
    // The first whole, then what is new; 27 tokens of the last one are those of another; nothing for the three that repeat it.
    expect(read).toBe(22 + [2, 3, 4, 5, 6, 7, 8].reduce((sum, own) => sum + own) + 3);
    batch.release();
  });

  it.each(['gqa', 'plain', 'hybrid'])('has steps of few sizes on a device, which its rows do not show: %s', async (name) => {
    const path = join(folder, name);
    const [cpu, device] = [await open(path), await open(path, { provider: DEVICE })];
    const reference = bits(await decode(cpu, TASKS, { slots: 32 }));
    for (const [slots, sizes] of [
      [32, [1, 2, 3, 4, 8, 16, 32]],
      [11, [1, 2, 3, 4, 8]],
    ] as const) {
      const seen = new Set<number>();
      expect(bits(await decode(device, TASKS, { slots, onStep: (rows) => seen.add(rows) }))).toEqual(reference);
      expect(sizes).toEqual(expect.arrayContaining([...seen]));
      expect(seen.size).toBeGreaterThan(3);
    }
  });

  it('stops within a run when nobody wants it, keeps what it had read, and frees everything', async () => {
    const loaded = await loadOrtLibrary();
    const before = loaded.library!.census.counts();
    const session = await open(join(folder, 'gqa'));
    const decoder = new SlotDecoder(session.session, session.layout, session.rules, { slots: 4, width: 128 });
    const batch = new DecodeBatch(decoder, { now: () => 0, onProgress: () => {} });
    let isCancelled = false;
    const ends: string[] = [];
    const job = (count: number): DecodeJob => ({
      completion: new Recorder(count),
      promptTokens: SHARED,
      isCancelled: () => isCancelled,
      finish: (how) => ends.push(how),
    });
    for (const count of [9, 9]) {
      await batch.admit(job(count));
      while (batch.isReading) await batch.read();
    }
    const step = batch.step();
    isCancelled = true;
    batch.stopIfUnwanted();
    await step;
    expect(batch.finished).toBe(2);
    await batch.retire();
    expect(ends).toEqual(['cancelled', 'cancelled']);

    isCancelled = false;
    const recorder = new Recorder(4);
    await batch.admit({ ...job(0), completion: recorder });
    while (batch.isReading) await batch.read();
    while (!recorder.isOver && batch.finished === 0) await batch.step();
    const [reference] = await decode(session, [{ prompt: SHARED, count: 4 }], { slots: 4 });
    expect(recorder.bits).toEqual(reference!.bits);
    batch.release();
    await session.close();
    sessions.pop();
    expect(loaded.library!.census.counts()).toEqual(before);
  });
});
