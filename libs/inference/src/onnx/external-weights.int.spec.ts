import { copyFile, link, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ort from 'onnxruntime-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GENERATED_LAYOUTS } from '../testing/graphs/generated-layouts.fixture.js';
import { writeGeneratedModel } from '../testing/graphs/write-generated-model.js';
import { locateExternalWeights } from './external-weights.js';
import { encodeOnnx, parseOnnx } from './graph/onnx-model.js';
import { summariseGraph } from './graph-summary.js';

let folder: string;
let graph: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-weights-'));
  graph = join(folder, 'm', 'onnx', 'model.onnx');
  await writeGeneratedModel(join(folder, 'm'), GENERATED_LAYOUTS['gqa-external']!);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Moves a file of the model to a folder of its own, and leaves a link. */
async function linkTo(target: string, file: string, name: string): Promise<void> {
  await mkdir(join(folder, target), { recursive: true });
  await rename(join(folder, 'm', 'onnx', file), join(folder, target, name));
  await symlink(join('..', '..', target, name), join(folder, 'm', 'onnx', file));
}

async function opens(): Promise<true> {
  const located = await locateExternalWeights(parseOnnx(await readFile(graph)), graph);
  const extra = { session: { model_external_initializers_file_folder_path: located.folder } };
  const session = await ort.InferenceSession.create(encodeOnnx(located.model), { extra, logSeverityLevel: 3 });
  await session.release();
  return true;
}

describe('external weights', () => {
  it('beside the graph are opened from bytes as they are', async () => {
    const model = parseOnnx(await readFile(graph));
    expect((await locateExternalWeights(model, graph)).model).toBe(model);
    expect(await opens()).toBe(true);
  });

  it('are found where a download cache links graph and weights into one folder', async () => {
    await linkTo('blobs', 'model.onnx', 'a1');
    await linkTo('blobs', 'model.onnx_data', 'b2');
    await linkTo('blobs', 'model.onnx_data_1', 'c3');
    expect((await summariseGraph(graph)).externalFiles).toEqual(['model.onnx_data', 'model.onnx_data_1']);
    expect(await opens()).toBe(true);
  });

  it('are found when the whole directory is a link, or the weights are a hard link', async () => {
    await mkdir(join(folder, 'store'));
    await link(join(folder, 'm/onnx/model.onnx_data'), join(folder, 'store/data'));
    await rm(join(folder, 'm/onnx/model.onnx_data'));
    await link(join(folder, 'store/data'), join(folder, 'm/onnx/model.onnx_data'));
    await symlink(join(folder, 'm'), join(folder, 'linked'));
    graph = join(folder, 'linked', 'onnx', 'model.onnx');
    expect((await summariseGraph(graph)).externalFiles).toHaveLength(2);
    expect(await opens()).toBe(true);
  });

  it('are refused when they alone link to another folder, as the runtime would', async () => {
    await linkTo('store', 'model.onnx_data', 'data');
    await expect(summariseGraph(graph)).rejects.toThrow(/model\.onnx_data are a link to .*store\/data/);
    await expect(ort.InferenceSession.create(graph, { logSeverityLevel: 4 })).rejects.toThrow(/escapes/);
    await copyFile(join(folder, 'store/data'), `${graph}_copy`);
    await rename(`${graph}_copy`, `${graph}_data`);
    expect(await opens()).toBe(true);
  });
});
