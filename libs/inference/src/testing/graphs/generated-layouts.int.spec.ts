import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scanModels } from '../../models/scan-models.js';
import { summariseGraph } from '../../onnx/graph-summary.js';
import { readModelDirectory } from '../../onnx/model-directory.js';
import { GENERATED_LAYOUTS } from './generated-layouts.fixture.js';
import { LayoutRunner } from './layout-runner.fixture.js';
import { writeGeneratedModel } from './write-generated-model.js';

const PROMPT = [1, 55, 60, 72, 90, 101, 300, 17];

let modelDir: string;
beforeAll(async () => {
  modelDir = await mkdtemp(join(tmpdir(), 'kiln-layouts-'));
  for (const [name, options] of Object.entries(GENERATED_LAYOUTS)) await writeGeneratedModel(join(modelDir, name), options);
});
afterAll(() => rm(modelDir, { recursive: true, force: true }));

async function summary(name: string) {
  const directory = await readModelDirectory(join(modelDir, name));
  return { directory, ...(await summariseGraph(directory.graphPath, directory.portNames)) };
}

async function open(name: string): Promise<LayoutRunner> {
  const { directory, layout } = await summary(name);
  return LayoutRunner.open(directory.graphPath, layout);
}

/** Largest difference. */
function distance(a: Float32Array, b: Float32Array): number {
  return a.reduce((largest, value, index) => Math.max(largest, Math.abs(value - b[index]!)), 0);
}

describe('generated models', () => {
  it.each(Object.keys(GENERATED_LAYOUTS))('%s runs by its layout, and step by step as at once', async (name) => {
    const runner = await open(name);
    const whole = await runner.run(PROMPT);
    expect(whole.logits).toHaveLength(512);
    expect(new Set(whole.logits).size).toBeGreaterThan(100);
    let { logits, state } = await runner.run(PROMPT.slice(0, 4));
    for (const token of PROMPT.slice(4)) ({ logits, state } = await runner.run([token], state));
    // Level 4 and dynamic quantisation round activations to 8 bits, float16 everything to 11.
    expect(distance(logits, whole.logits)).toBeLessThan(/q4|q8|fp16|dynamic/.test(name) ? 0.1 : 1e-4);
    await runner.release();
  });

  it.each([
    ['plain', 'gqa'],
    ['plain-logits-to-keep', 'gqa'],
    ['plain-transposed', 'gqa'],
    ['fused-matmul', 'gqa'],
    ['gqa-external', 'gqa'],
    ['genai', 'gqa'],
    ['genai-names', 'gqa'],
  ])('%s has the logits of %s: the same weights in another form', async (name, other) => {
    const [runner, reference] = [await open(name), await open(other)];
    expect(distance((await runner.run(PROMPT)).logits, (await reference.run(PROMPT)).logits)).toBeLessThan(1e-4);
    expect(await runner.greedy(PROMPT, 12)).toEqual(await reference.greedy(PROMPT, 12));
    await runner.release();
    await reference.release();
  });

  it.each([
    ['gqa-fp16', 0.02],
    ['gqa-q8', 0.1],
    ['gqa-dynamic8', 0.5],
  ])('%s has nearly the logits of gqa: rounded weights', async (name, most) => {
    const [runner, reference] = [await open(name), await open('gqa')];
    expect(distance((await runner.run(PROMPT)).logits, (await reference.run(PROMPT)).logits)).toBeLessThan(most);
    await runner.release();
    await reference.release();
  });

  it('whose activations are quantised over all rows are the ones that read a prompt otherwise in another company', async () => {
    const differs: string[] = [];
    for (const name of Object.keys(GENERATED_LAYOUTS)) {
      const { directory, layout } = await summary(name);
      const runner = await LayoutRunner.open(directory.graphPath, layout);
      const alone = await runner.run(PROMPT);
      const [beside] = await runner.runRows([PROMPT, PROMPT.toReversed()]);
      if (distance(alone.logits, beside!) > 1e-3) differs.push(name);
      expect(layout.rowsInteract).toBe(differs.includes(name));
      await runner.release();
    }
    expect(differs).toEqual(['gqa-dynamic8']);
  });

  it('have the layouts that they were built with', async () => {
    const seen: Record<string, string> = {};
    for (const name of Object.keys(GENERATED_LAYOUTS)) {
      const { layout } = await summary(name);
      seen[name] = [
        layout.attention,
        layout.cacheType,
        layout.sharesBuffer ? 'shared' : 'copied',
        layout.quantisation === null ? '-' : `${layout.quantisation.bits} bits, level ${layout.quantisation.accuracyLevels}`,
        layout.positionIds === null ? '-' : `positions ${layout.positionIds.planes ?? 1}`,
        layout.logitsToKeep?.name ?? 'all',
        `${layout.cache.length} caches`,
        layout.states.map(({ kind, shape }) => `${kind} [${shape}]`).join(' ') || '-',
        layout.needsExactPrefill ? 'exact' : layout.rowsInteract ? 'rows interact' : '-',
      ].join(' | ');
    }
    expect(seen).toMatchInlineSnapshot(`
      {
        "fused-matmul": "gqa | float32 | shared | - | - | num_logits_to_keep | 4 caches | - | -",
        "fused-qkv": "gqa | float32 | shared | - | - | num_logits_to_keep | 4 caches | - | -",
        "genai": "gqa | float32 | shared | - | - | all | 4 caches | - | -",
        "genai-names": "gqa | float32 | shared | - | - | all | 4 caches | - | -",
        "gqa": "gqa | float32 | shared | - | - | num_logits_to_keep | 4 caches | - | -",
        "gqa-dynamic8": "gqa | float32 | shared | - | - | num_logits_to_keep | 4 caches | - | rows interact",
        "gqa-external": "gqa | float32 | shared | - | - | num_logits_to_keep | 4 caches | - | -",
        "gqa-fp16": "gqa | float16 | shared | - | - | num_logits_to_keep | 4 caches | - | -",
        "gqa-q4": "gqa | float32 | shared | 4 bits, level 0 | - | num_logits_to_keep | 4 caches | - | -",
        "gqa-q4-level4": "gqa | float32 | shared | 4 bits, level 4 | - | num_logits_to_keep | 4 caches | - | -",
        "gqa-q8": "gqa | float32 | shared | 8 bits, level 4 | - | num_logits_to_keep | 4 caches | - | -",
        "hybrid": "plain | float32 | copied | - | positions 3 | num_logits_to_keep | 2 caches | convolution [48,3] recurrent [2,8,8] | exact",
        "hybrid-genai": "gqa | float32 | shared | - | - | all | 2 caches | convolution [48,3] recurrent [2,8,8] | exact",
        "hybrid-q4": "gqa | float32 | shared | 4 bits, level 4 | - | num_logits_to_keep | 2 caches | convolution [48,3] recurrent [2,8,8] | exact",
        "plain": "plain | float32 | copied | - | positions 1 | all | 4 caches | - | -",
        "plain-fp16": "plain | float16 | copied | - | positions 1 | num_logits_to_keep | 4 caches | - | -",
        "plain-logits-to-keep": "plain | float32 | copied | - | positions 1 | logits_to_keep | 4 caches | - | -",
        "plain-transposed": "plain | float32 | copied | - | positions 1 | num_logits_to_keep | 4 caches | - | -",
      }
    `);
  });

  it('are published, all of them', async () => {
    const { models, rejected } = await scanModels(modelDir);
    expect(rejected).toEqual([]);
    expect(models.map(({ model }) => model)).toEqual(Object.keys(GENERATED_LAYOUTS).toSorted());
    expect(models.every(({ context_tokens: tokens }) => tokens === 256)).toBe(true);
  });
});
