import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOrtSession } from '../../ort/open-ort-session.js';
import { buildDecoderGraph } from '../../testing/graphs/decoder-graph.js';
import { type DecoderGraphOptions, TINY_SHAPE } from '../../testing/graphs/decoder-graph-options.js';
import { LayoutRunner } from '../../testing/graphs/layout-runner.fixture.js';
import { type RandomAdapterOptions, writeRandomAdapter } from '../../testing/graphs/random-adapter.fixture.js';
import { encodeOnnx, type OnnxModel } from '../graph/onnx-model.js';
import { summariseGraph } from '../graph-summary.js';
import { readAdapter } from '../load-model.js';
import { adapterTensors } from './adapter-tensors.js';
import { injectLora } from './inject-lora.js';
import { checkAdapterTargets, findLoraSites } from './lora-sites.js';
import { type PeftAdapter } from './peft-adapter.js';

const PROMPT = [1, 55, 60, 72, 90, 101, 300, 17];

let folder: string;
let adapter: PeftAdapter;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-lora-'));
  adapter = await newAdapter('adapter');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function newAdapter(name: string, options: RandomAdapterOptions = {}): Promise<PeftAdapter> {
  await writeRandomAdapter(join(folder, name), TINY_SHAPE, options);
  return readAdapter(join(folder, name));
}

async function layoutOf(model: OnnxModel) {
  const path = join(folder, 'layout.onnx');
  await writeFile(path, encodeOnnx(model));
  return (await summariseGraph(path)).layout;
}

async function logits(
  model: OnnxModel,
  fed: PeftAdapter | null | 'nothing' = 'nothing',
): Promise<{ logits: Float32Array; greedy: number[] }> {
  const layout = await layoutOf(model);
  const keys = new Set(findLoraSites(model).sites.keys());
  const injected = fed === 'nothing' ? { model, sites: [] } : injectLora(model, keys, 'required');
  const tensors = fed === 'nothing' ? undefined : adapterTensors(fed, injected.sites, 'required');
  const runner = await LayoutRunner.open(encodeOnnx(injected.model), layout, tensors);
  const result = { logits: (await runner.run(PROMPT)).logits, greedy: await runner.greedy(PROMPT, 16) };
  await runner.release();
  return result;
}

const distance = (a: Float32Array, b: Float32Array) => a.reduce((most, value, index) => Math.max(most, Math.abs(value - b[index]!)), 0);

describe('a fed adapter', () => {
  it.each<[string, Partial<DecoderGraphOptions>]>([
    ['grouped attention', {}],
    ['plain attention, weights without names', { attention: 'plain', projections: 'optimum' }],
    ['plain attention, transposed weights', { attention: 'plain', projections: 'Transpose' }],
    ['Gemm', { projections: 'Gemm' }],
    ['FusedMatMul', { projections: 'FusedMatMul' }],
    ['all logits', { logits: 'all' }],
  ])('computes what merged weights compute: %s', async (_, graph) => {
    const [fed, merged, base] = [
      await logits(buildDecoderGraph(graph), adapter),
      await logits(buildDecoderGraph({ ...graph, merged: adapter })),
      await logits(buildDecoderGraph(graph)),
    ];
    expect(distance(fed.logits, merged.logits)).toBeLessThan(1e-4);
    expect(fed.greedy).toEqual(merged.greedy);
    expect(distance(fed.logits, base.logits)).toBeGreaterThan(0.1);
  });

  it.each<[string, RandomAdapterOptions]>([
    ['half floats', { dtype: 'F16' }],
    ['brain floats', { dtype: 'BF16' }],
    ['two targets', { targets: ['q_proj', 'down_proj'] }],
    ['ranks and alphas by pattern', { config: { rank_pattern: { 'layers.1.mlp.up_proj': 3 }, alpha_pattern: { v_proj: 40 } } }],
    ['rank-stabilised', { config: { use_rslora: true } }],
  ])('computes what merged weights compute: %s', async (name, options) => {
    const other = await newAdapter(name, options);
    const [fed, merged] = [await logits(buildDecoderGraph(), other), await logits(buildDecoderGraph({ merged: other }))];
    expect(distance(fed.logits, merged.logits)).toBeLessThan(1e-4);
    expect(fed.greedy).toEqual(merged.greedy);
  });

  it('comes close in float16, where weights and updates are rounded', async () => {
    const half = { type: 'float16' } as const;
    const [fed, merged, base] = [
      await logits(buildDecoderGraph(half), adapter),
      await logits(buildDecoderGraph({ ...half, merged: adapter })),
      await logits(buildDecoderGraph(half)),
    ];
    expect(distance(fed.logits, merged.logits)).toBeLessThan(0.05);
    expect(distance(fed.logits, base.logits)).toBeGreaterThan(0.1);
  });

  it('works beside quantised weights as beside those that they were made from', async () => {
    const quantised = { quantisation: { accuracyLevel: 0 } } as const;
    const change = async (graph: Partial<DecoderGraphOptions>) => {
      const [fed, base] = [await logits(buildDecoderGraph(graph), adapter), await logits(buildDecoderGraph(graph))];
      return fed.logits.map((value, index) => value - base.logits[index]!);
    };
    const [exact, rounded] = [await change({}), await change(quantised)];
    const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * b[index]!, 0);
    expect(dot(exact, rounded) / Math.sqrt(dot(exact, exact) * dot(rounded, rounded))).toBeGreaterThan(0.9);
  });

  it.each<[string, Partial<DecoderGraphOptions>]>([
    ['float32', {}],
    ['float16', { type: 'float16' }],
    ['4 bits, level 0', { quantisation: { accuracyLevel: 0 } }],
    ['4 bits, level 4', { quantisation: { accuracyLevel: 4 } }],
    ['hybrid', { hybrid: true }],
  ])('of rank 0 leaves the base as it is, to the bit: %s', async (_, graph) => {
    const model = buildDecoderGraph(graph);
    const [fed, base] = [await logits(model, null), await logits(model)];
    expect(Buffer.from(fed.logits.buffer)).toEqual(Buffer.from(base.logits.buffer));
    expect(fed.greedy).toEqual(base.greedy);
  });
});

describe('overridable matrices', () => {
  it('are the base when not fed, and serve several adapters from one session', async () => {
    const model = buildDecoderGraph();
    const others = [adapter, await newAdapter('other', { rank: 3, targets: ['v_proj', 'up_proj'], seed: 8 })];
    const { sites } = findLoraSites(model);
    const keys = new Set(others.flatMap((each) => [...checkAdapterTargets(each, { sites, unfit: new Map() })]));
    const injected = injectLora(model, keys, 'overridable');
    const path = join(folder, 'injected.onnx');
    await writeFile(path, encodeOnnx(injected.model));
    const session = await openOrtSession(path, { threads: 1, backend: 'ort-c' });
    const layout = await layoutOf(model);

    const run = async (fed: PeftAdapter | null): Promise<Float32Array> => {
      const tensors = [...adapterTensors(fed, injected.sites, 'overridable')];
      const feeds = Object.fromEntries(
        tensors.map(([name, { type, dims, data }]) => [name, session.newTensor(type, dims, data as Float32Array)]),
      );
      const fetches = { logits: session.newTensor('float32', [1, 1, TINY_SHAPE.vocabulary]) };
      const past = layout.cache.map(
        ({ past: name, heads, headSize }) => [name, session.newTensor('float32', [1, heads, 0, headSize])] as const,
      );
      const tokens = BigInt64Array.from(PROMPT, BigInt);
      await session.run(
        {
          ...feeds,
          ...Object.fromEntries(past),
          input_ids: session.newTensor('int64', [1, PROMPT.length], tokens),
          attention_mask: session.newTensor(
            'int64',
            [1, PROMPT.length],
            BigInt64Array.from(PROMPT, () => 1n),
          ),
          num_logits_to_keep: session.newTensor('int64', [], BigInt64Array.of(1n)),
        },
        fetches,
      );
      return Float32Array.from(fetches.logits.data);
    };
    expect(session.initializers.map(({ name }) => name).toSorted()).toEqual(injected.sites.flatMap(({ a, b }) => [a, b]).toSorted());
    const base = await run(null);
    const fed = [await run(others[0]!), await run(others[1]!)];
    expect(Buffer.from((await run(null)).buffer)).toEqual(Buffer.from(base.buffer));
    await session.close();

    expect(Buffer.from(base.buffer)).toEqual(Buffer.from((await logits(model)).logits.buffer));
    for (const [index, each] of others.entries()) {
      expect(distance(fed[index]!, (await logits(buildDecoderGraph({ merged: each }))).logits)).toBeLessThan(1e-4);
      expect(Buffer.from(fed[index]!.buffer)).toEqual(Buffer.from((await logits(model, each)).logits.buffer));
    }
  });
});
