import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadOrtLibrary } from '../ort/ort-library.js';
import { checkAdapterMemory } from '../check/cuda/check-adapter-memory.js';
import { ProbeRows } from './probe/probe-rows.js';
import { buildDecoderGraph } from '../testing/graphs/decoder-graph.js';
import { type DecoderGraphOptions } from '../testing/graphs/decoder-graph-options.js';
import { MODELS } from '../testing/onnx-target.fixture.js';
import { newNode } from './graph/attributes.js';
import { newRawTensor } from './graph/new-tensor.js';
import { ElementType, encodeOnnx, type OnnxModel, type OnnxTensor } from './graph/onnx-model.js';
import { summariseGraph } from './graph-summary.js';
import { readAdapter } from './load-model.js';
import { loraSiteNodes } from './lora/lora-sites.js';
import { ModelSession, type ModelSessionOptions } from './model-session.js';

const GRAPH = join(MODELS, 'tiny-arith/onnx/model.onnx');
const readMath = () => readAdapter(join(MODELS, 'tiny-arith/adapters/math-v2'));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-session-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sessions: ModelSession[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

async function open(provider: ModelSessionOptions['provider']): Promise<ModelSession> {
  const options = { threads: 1, maxBatch: 4, takesAdapters: true, ...(provider && { provider }) };
  const session = await ModelSession.open(GRAPH, await summariseGraph(GRAPH), options);
  sessions.push(session);
  return session;
}

/** Adds a bias to what each projection gives, or divides it by a constant. */
function withOperatorBehind(model: OnnxModel, operator: 'Add' | 'Div'): OnnxModel {
  const sites = new Map([...loraSiteNodes(model).values()].map(({ node, site }) => [node, site]));
  const constants: OnnxTensor[] = [];
  const nodes = model.nodes.flatMap((node) => {
    const site = sites.get(node);
    if (site === undefined) return [node];
    const values =
      operator === 'Div' ? Float32Array.of(7.3) : Float32Array.from({ length: site.outFeatures }, (_, index) => Math.sin(index));
    const dims = operator === 'Div' ? [] : [site.outFeatures];
    const constant = newRawTensor(`${node.name}/constant`, dims, ElementType.float32, new Uint8Array(values.buffer));
    constants.push(constant);
    const [output] = node.outputs as [string];
    const before = `${output}/before`;
    return [{ ...node, outputs: [before] }, newNode(`${node.name}/${operator}`, operator, [before, constant.name], [output])];
  });
  return { ...model, nodes, initializers: [...model.initializers, ...constants] };
}

/** Digests of the logits behind two prompts and a step of both. */
async function run(graphPath: string, backend: 'ort-c' | 'ort-js', takesAdapters: boolean): Promise<string[]> {
  const options = { threads: 1, maxBatch: 4, backend, takesAdapters };
  const session = await ModelSession.open(graphPath, await summariseGraph(graphPath), options);
  try {
    expect(session.takesAdapters).toBe(takesAdapters);
    const rows = new ProbeRows(session, { slots: 2, width: 32 }, (await session.adapter(null, async () => new Map())).feeds);
    const logits = [await rows.read(0, [1, 55, 60, 72, 90, 101, 300, 17]), await rows.read(1, [1, 60, 55]), ...(await rows.step(2, 44))];
    rows.release();
    return logits;
  } finally {
    await session.close();
  }
}

describe('ModelSession', () => {
  it.each<[string, Partial<DecoderGraphOptions>, 'Add' | 'Div' | null]>([
    ['as exported', {}, null],
    ['with a bias', {}, 'Add'],
    ['with a bias beside 4 bits', { quantisation: { accuracyLevel: 4 } }, 'Add'],
    ['with a bias beside 4 bits, level 0', { quantisation: { accuracyLevel: 0 } }, 'Add'],
    ['with a divisor', {}, 'Div'],
    ['with a divisor, plain attention', { attention: 'plain' }, 'Div'],
  ])('computes the base to the bit alike with places for adapters and without: projections %s', async (name, options, operator) => {
    const path = join(folder, `${name}.onnx`);
    const graph = buildDecoderGraph(options);
    await writeFile(path, encodeOnnx(operator === null ? graph : withOperatorBehind(graph, operator)));
    for (const backend of ['ort-c', 'ort-js'] as const) {
      expect(await run(path, backend, true), backend).toEqual(await run(path, backend, false));
    }
  });
});

describe('an adapter', () => {
  it('lies where the provider computes, as it was, and is gone when it is dropped', async () => {
    const { census } = (await loadOrtLibrary()).library!;
    const [cpu, device] = [await open(undefined), await open({ kind: 'cpu', asDevice: true })];
    const before = census.counts();
    const feeds = await Promise.all([cpu, device].map(async (session) => (await session.adapter('math', readMath)).feeds));
    expect(Object.keys(feeds[0]!)).toEqual(Object.keys(feeds[1]!));
    for (const [name, there] of Object.entries(feeds[1]!)) {
      expect(there.memory).toBe('device');
      const back = device.session.newTensor(there.type, there.shape);
      await device.session.copy(there, back);
      expect(back.data).toEqual(feeds[0]![name]!.data);
      back.release();
    }
    for (const session of [cpu, device]) session.dropAdapter('math');
    expect(census.counts()['tensor'] ?? 0).toBe(before['tensor'] ?? 0);
    expect(await checkAdapterMemory(device, readMath)).toMatchObject({ holds: true });
    expect(await checkAdapterMemory(cpu, readMath)).toMatchObject({ holds: false });
  });

  it('that is torn leaves nothing behind', async () => {
    const { census } = (await loadOrtLibrary()).library!;
    const device = await open({ kind: 'cpu', asDevice: true });
    const before = census.counts()['tensor'] ?? 0;
    const adapter = await readMath();
    const [path, update] = [...adapter].at(-1)!;
    const torn = new Map([...adapter, [path, { ...update, rank: update.rank + 1 }]]);
    await expect(device.adapter('torn', async () => torn)).rejects.toThrow(RangeError);
    expect(census.counts()['tensor'] ?? 0).toBe(before);
    expect(await checkAdapterMemory(device, readMath)).toMatchObject({ holds: true });
  });
});

describe('a model that CUDA would compute on the CPU in part', () => {
  it('is refused before anything is loaded', async () => {
    await expect(open({ kind: 'cuda', deviceId: 0 })).rejects.toThrow(
      /on CUDA, GroupQueryAttention computes in float16 only.*export it in float16/,
    );
  });
});
