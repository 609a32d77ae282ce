import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDecoderGraph } from '../testing/graphs/decoder-graph.js';
import { newTensor } from './graph/new-tensor.js';
import { newValue } from './graph/new-value.js';
import { ElementType, encodeOnnx } from './graph/onnx-model.js';
import { summariseGraph } from './graph-summary.js';
import { UnsupportedModelError } from './unsupported-model-error.js';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'kiln-summary-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function summarise(bytes: Uint8Array) {
  const path = join(folder, 'model.onnx');
  await writeFile(path, bytes);
  return summariseGraph(path);
}

/** A whole graph in a few kilobytes: its weights are said to be elsewhere. */
function leanGraph(): Uint8Array {
  const options = { hybrid: true, quantisation: { accuracyLevel: 4 }, projections: 'Transpose' } as const;
  return encodeOnnx(buildDecoderGraph(options, (data) => (data.length < 64 ? null : { location: 'w', offset: 0, length: data.length })));
}

describe('summariseGraph', () => {
  it('never fails in another way than by saying what is wrong', async () => {
    await writeFile(join(folder, 'w'), new Uint8Array(200_000));
    const graph = leanGraph();
    expect((await summarise(graph)).loraSites.sites.size).toBeGreaterThan(5);
    const damage = fc.array(fc.tuple(fc.nat(graph.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(damage, async (changes) => {
        const copy = Uint8Array.from(graph);
        for (const [at, byte] of changes) copy[at] = byte;
        await summarise(copy).catch((error: unknown) => expect(error).toBeInstanceOf(UnsupportedModelError));
      }),
      { numRuns: 500 },
    );
  });

  it('does not ask for weights that older files list among the inputs', async () => {
    const model = buildDecoderGraph();
    const old = { ...model, inputs: [...model.inputs, newValue('w', ElementType.float32, [1])] };
    await expect(summarise(encodeOnnx(old))).rejects.toThrow(/input w \[1\] is not supported/);
    const held = { ...old, initializers: [...model.initializers, newTensor('w', [1], ElementType.float32, Float32Array.of(1))] };
    expect((await summarise(encodeOnnx(held))).layout.cache).toHaveLength(4);
  });

  it.each([
    ['../w', /outside the model/],
    ['/etc/w', /outside the model/],
    ['a/../../w', /outside the model/],
    ['missing', /missing are missing/],
  ])('does not follow weights to %s', async (location, reason) => {
    const graph = buildDecoderGraph({}, (data) => (data.length < 4096 ? null : { location, offset: 0, length: data.length }));
    await expect(summarise(encodeOnnx(graph))).rejects.toThrow(reason);
  });
});
