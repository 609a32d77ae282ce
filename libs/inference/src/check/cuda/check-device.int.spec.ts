import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newNode } from '../../onnx/graph/attributes.js';
import { decodeRules } from '../../onnx/decode/decode-rules.js';
import { summariseGraph } from '../../onnx/graph-summary.js';
import { ModelSession } from '../../onnx/model-session.js';
import { openOrtSession } from '../../ort/open-ort-session.js';
import { TINY_SHAPE } from '../../testing/graphs/decoder-graph-options.js';
import { writeGeneratedModel } from '../../testing/graphs/write-generated-model.js';
import { MODELS, onnxTarget } from '../../testing/onnx-target.fixture.js';
import { encodeOperator } from '../encode-operator.js';
import { madeUpAdapter } from '../../onnx/probe/made-up-adapter.js';
import { checkDevice, type DeviceCheckOptions } from './check-device.js';
import { checkHead } from './check-head.js';
import { checkMass } from './check-mass.js';
import { checkPrecision, precisionGraph } from './check-precision.js';
import { checkResidence } from './check-residence.js';
import { checkTransfers } from './check-transfers.js';
import { findGpu } from './find-gpu.js';
import { CUDA_EXIT, runCudaCheck } from './run-check.js';

/** Keys and values of 4 KiB a token. */
const WIDE = { ...TINY_SHAPE, kvHeads: 4, headSize: 64, positions: 4096 };

let folder: string;
const closing: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-device-'));
  const tokenizerFrom = join(MODELS, 'tiny-arith');
  await writeGeneratedModel(join(folder, 'gqa'), { tokenizerFrom, graph: { shape: WIDE } });
  await writeGeneratedModel(join(folder, 'halves'), { tokenizerFrom, graph: { shape: WIDE, type: 'float16' } });
  await writeGeneratedModel(join(folder, 'plain'), { tokenizerFrom, graph: { shape: WIDE, attention: 'plain' } });
});
afterEach(async () => {
  for (const each of closing.splice(0)) await each.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const graphOf = (name: string) => join(folder, name, 'onnx', 'model.onnx');

async function open(name: string): Promise<ModelSession> {
  const summary = await summariseGraph(graphOf(name));
  const model = await ModelSession.open(graphOf(name), summary, { threads: 1, maxBatch: 8, takesAdapters: false });
  closing.push(model);
  return model;
}

/** A check of a generated model, in sizes that take seconds. */
async function checkOf(name: string): Promise<Omit<DeviceCheckOptions, 'provider'>> {
  const { loraSites } = await summariseGraph(graphOf(name));
  return {
    modelPath: join(folder, name),
    adapter: madeUpAdapter(loraSites.sites, 4),
    answering: new Map([['tiny-arith', await onnxTarget('tiny-arith', 'math-v2')]]),
    modelDir: MODELS,
    maxBatch: 4,
    context: 64,
    widths: [80, 160],
    onProgress: () => {},
  };
}

describe('checkDevice', () => {
  it('on memory that only the runtime reaches finds everything as it is to be', async () => {
    const { findings } = await checkDevice({
      provider: { kind: 'cpu', asDevice: true },
      ...(await checkOf('halves')),
    });
    // How long a step takes is not what this is about.
    const failing = findings.filter(({ holds, what }) => !holds && !what.startsWith('a step does not move'));
    expect(failing).toEqual([]);
    expect(findings.length).toBeGreaterThan(9);
  }, 120_000);

  it('on the CPU finds what is so there, and that nothing is on a device', async () => {
    const { findings, speed, limits } = await checkDevice({
      provider: { kind: 'cpu' },
      ...(await checkOf('gqa')),
    });
    const holding = findings.filter(({ holds }) => holds).map(({ what }) => what);
    expect(holding).toEqual(
      expect.arrayContaining([
        'products of float32 are not rounded to TF32',
        'tiny-arith answers as on the CPU',
        'the graph reads and writes them in one place',
        'a step adds a column there, and touches no other',
        'a run gives the same bits twice, whatever is in the padding',
        'rows do not depend on their neighbours',
      ]),
    );
    expect(holding).not.toContain('keys and values are in the memory of the device');
    expect(holding).not.toContain('adapters are in the memory of the device');
    expect(holding).not.toContain('tokens drawn from candidates are those drawn from all logits');
    expect(speed.map(({ rows }) => rows)).toEqual([1, 4]);
    expect(limits.bytesPerS).toBeGreaterThan(1e8);
  }, 120_000);
});

describe('checkHead and checkMass', () => {
  it('find that candidates decide most draws, as all logits do, and what they save', async () => {
    const path = join(folder, 'large');
    await writeGeneratedModel(path, { tokenizerFrom: join(MODELS, 'tiny-arith'), graph: { shape: { ...TINY_SHAPE, vocabulary: 8000 } } });
    const summary = await summariseGraph(graphOf('large'));
    const options = { threads: 1, maxBatch: 8, takesAdapters: false, provider: { kind: 'cpu', asDevice: true } } as const;
    const model = await ModelSession.open(graphOf('large'), summary, options);
    closing.push(model);
    const { holds, seen } = await checkHead(model, 8);
    expect({ holds, seen }).toEqual({
      holds: true,
      seen: expect.stringMatching(/ 0 of them differ; a step of 8 rows brings 24 KiB .* not 250 KiB/),
    });
    const [, decided, draws] = /^(\d+) of (\d+) draws/.exec(seen)!;
    expect(Number(draws)).toBe(8 * 9);
    expect(Number(decided)).toBeGreaterThan(Number(draws) / 3);
    expect(await checkMass({ threads: 1 })).toMatchObject({ holds: true });
  });
});

describe('checkResidence', () => {
  it('finds keys and values in memory that is not the CPU’s, with the CPU’s in its place', async () => {
    const { layout } = await summariseGraph(graphOf('gqa'));
    const session = await openOrtSession(graphOf('gqa'), { threads: 1, provider: { kind: 'cpu', asDevice: true } });
    closing.push(session);
    const findings = await checkResidence({
      session,
      layout,
      rules: decodeRules(layout, { onDevice: true, maxBatch: 4 }),
      takesAdapters: false,
      adapter: async () => ({ key: null, feeds: {}, minRows: 1 }),
      dropAdapter: () => {},
    });
    expect(findings.map(({ holds }) => holds)).toEqual([true, true, true]);
  });

  it('finds that a graph in parts does not write where it reads', async () => {
    const findings = await checkResidence(await open('plain'));
    expect(findings.map(({ holds }) => holds)).toEqual([false, false]);
  });
});

describe('checkTransfers', () => {
  const options = { rows: 8, context: 32, widths: [64, 4096], clock: 'cpu' } as const;

  it('sees keys and values that are moved, and those that stay', async () => {
    expect(await checkTransfers(await open('gqa'), options)).toMatchObject({ holds: true });
    expect(await checkTransfers(await open('plain'), options)).toMatchObject({ holds: false });
  });
});

describe('checkPrecision', () => {
  it('sees numbers that do not come back', async () => {
    const shape = [256, 256];
    const graphs = [precisionGraph(), encodeOperator(newNode('least', 'Min', ['x', 'w'], ['y']), { x: shape, w: shape }, shape)];
    const found = [];
    for (const graph of graphs) {
      const session = await openOrtSession(graph, { threads: 1 });
      closing.push(session);
      found.push((await checkPrecision(session)).holds);
    }
    expect(found).toEqual([true, false]);
  });
});

describe.runIf(findGpu() === null)('npm run check:cuda without a GPU', () => {
  it('says so and ends with 3', async () => {
    const program = fileURLToPath(new URL('../../../dist/check/cuda/main.js', import.meta.url));
    const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) => {
      execFile(process.execPath, [program], (error, output) => resolve({ code: Number(error?.code ?? 0), stdout: output }));
    });
    expect({ code, stdout }).toEqual({ code: CUDA_EXIT.noGpu, stdout: 'there is no NVIDIA GPU here; nothing was checked\n' });
  });

  it('ends with 1 where a GPU cannot be used, and says what is missing', async () => {
    const lines: string[] = [];
    expect(await runCudaCheck((line) => lines.push(line), '/dev/nvidia0')).toBe(CUDA_EXIT.failed);
    expect(lines).toEqual([expect.stringMatching(/^\/dev\/nvidia0 shows a GPU, but .*libonnxruntime_providers_cuda\.so/)]);
  });
});
