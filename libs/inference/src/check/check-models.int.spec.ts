import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeOnnx, parseOnnx } from '../onnx/graph/onnx-model.js';
import { loadOrtLibrary } from '../ort/ort-library.js';
import { forgetMask } from '../testing/graphs/forget-mask.fixture.js';
import { writeGeneratedModel } from '../testing/graphs/write-generated-model.js';
import { MODELS, onnxTarget } from '../testing/onnx-target.fixture.js';
import { checkModels } from './check-models.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-check-'));
  await cp(join(MODELS, 'tiny-arith'), join(folder, 'tiny'), { recursive: true });
  await mkdir(join(folder, 'tiny/adapters/broken'));
  await writeFile(join(folder, 'tiny/adapters/broken/adapter_config.json'), '{"peft_type":"IA3"}');
  await mkdir(join(folder, 'empty'));
  await writeFile(join(folder, 'empty/config.json'), '{}');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('checkModels', () => {
  it('runs what registration accepts, names what it refuses, and leaves nothing native behind', async () => {
    const before = (await loadOrtLibrary()).library!.census.counts();
    const { models, rejected, ok, machine } = await checkModels(folder, { threads: 1 });
    expect(ok).toBe(false);
    expect(rejected.map(({ path }) => path).toSorted()).toEqual(['empty', 'tiny/adapters/broken']);
    expect(models).toHaveLength(1);
    expect(models[0]).toMatchObject({
      model: 'tiny',
      modelDigest: (await onnxTarget('tiny-arith')).model_digest,
      adapters: ['add-only-v1', 'chat-overfit-v1', 'math-v2'],
      layout: { graph: 'onnx/model.onnx', attention: 'GroupQueryAttention', cacheType: 'float32', cacheInPlace: true },
      probe: { minRows: 1, adapterMinRows: 2, exactPrefill: false },
      answer: { backend: 'ort-c', backendsEqual: true },
      flaws: [],
    });
    const { answer, speed, layout } = models[0]!;
    expect(answer!.tokens).toBeGreaterThan(0);
    // 4 layers, 2 heads of 32 for keys and as many for values, float32.
    expect(layout!.cacheBytesPerToken).toBe(4 * 2 * 2 * 32 * 4);
    expect(speed.map(({ rows }) => rows)).toEqual([1, 8, 32]);
    for (const { tokensPerS, limitTokensPerS } of speed) {
      expect(tokensPerS).toBeGreaterThan(0);
      // A cache may hold the whole of such a small model, but nothing is ten times as fast as the limit.
      expect(limitTokensPerS).toBeGreaterThan(tokensPerS / 10);
    }
    expect(machine!.clock).toBe('cpu');
    expect(machine!.bytesPerS).toBeGreaterThan(1e8);
    expect(machine!.flopsPerS).toBeGreaterThan(1e8);
    expect((await loadOrtLibrary()).library!.census.counts()).toEqual(before);
  });

  it('checks one model alone, with an adapter', async () => {
    const { models, ok } = await checkModels(join(MODELS, 'tiny-arith'), { threads: 1, adapter: 'math-v2' });
    expect(ok).toBe(true);
    expect(models.map(({ model, adapter }) => [model, adapter])).toEqual([['tiny-arith', 'math-v2']]);
    expect(models[0]!.adapterDigest).toBe((await onnxTarget('tiny-arith', 'math-v2')).adapter_digest);
  });

  it.each([
    ['an adapter that nobody has', { adapter: 'none' }, 'adapters/none'],
    ['an adapter that is refused', { adapter: 'broken' }, 'tiny/adapters/broken'],
  ])('is not content with %s', async (_name, options, path) => {
    const { models, ok, rejected } = await checkModels(join(folder, 'tiny'), { threads: 1, ...options });
    expect({ models, ok }).toEqual({ models: [], ok: false });
    expect(rejected.map((entry) => entry.path)).toContain(path);
  });

  it('is not content with a directory without models', async () => {
    expect(await checkModels(join(folder, 'tiny/adapters'), { threads: 1 })).toMatchObject({ models: [], ok: false });
  });

  it('says what is wrong with a model that no engine would load, and what was measured', async () => {
    const path = join(folder, 'forgets-mask');
    await writeGeneratedModel(path, { tokenizerFrom: join(MODELS, 'tiny-arith'), graph: { attention: 'plain' } });
    await forgetMask(join(path, 'onnx/model.onnx'));
    const { models, ok } = await checkModels(path, { threads: 1 });
    expect(ok).toBe(false);
    expect(models[0]).toMatchObject({ layout: { attention: 'in parts' }, probe: { measured: { padding: false } }, answer: null });
    expect(models[0]!.flaws).toContainEqual(expect.stringContaining('what lies behind a row changes its logits'));
    await rm(path, { recursive: true });
  });

  it('says what the runtime says of a graph that it does not take', async () => {
    const path = join(folder, 'unknown-operator');
    await writeGeneratedModel(path, { tokenizerFrom: join(MODELS, 'tiny-arith') });
    const graph = parseOnnx(await readFile(join(path, 'onnx/model.onnx')));
    graph.nodes.at(-1)!.opType = 'NoSuchOperator';
    await writeFile(join(path, 'onnx/model.onnx'), encodeOnnx(graph));
    const { models, ok } = await checkModels(path, { threads: 1 });
    expect(ok).toBe(false);
    expect(models[0]!.flaws).toEqual([expect.stringContaining('NoSuchOperator')]);
    await rm(path, { recursive: true });
  });
});
