import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FrozenTarget, ModelPublication } from '@kiln/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from '../engine/create-engine.js';
import { OnnxGenerator } from '../onnx/onnx-generator.js';
import { buildEngine } from '../testing/build-engine.fixture.js';
import { forgetMask } from '../testing/graphs/forget-mask.fixture.js';
import { writeGeneratedModel } from '../testing/graphs/write-generated-model.js';
import { MODELS } from '../testing/onnx-target.fixture.js';
import { ModelProber } from './model-prober.js';
import { publicationTarget } from './publication-target.js';
import { scanModels } from './scan-models.js';

let folder: string;
const generators: OnnxGenerator[] = [];

beforeAll(async () => {
  await buildEngine();
  folder = await mkdtemp(join(tmpdir(), 'kiln-prober-'));
  const attention = 'plain' as const;
  for (const name of ['broken', 'sound']) {
    await writeGeneratedModel(join(folder, name), { tokenizerFrom: join(MODELS, 'tiny-arith'), graph: { attention } });
  }
  await forgetMask(join(folder, 'broken/onnx/model.onnx'));
}, 120_000);
afterEach(async () => {
  for (const generator of generators.splice(0)) await generator.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function open(modelDir: string): { generator: OnnxGenerator; prober: ModelProber; probed: string[] } {
  const generator = new OnnxGenerator({ modelDir, threads: 1, maxBatch: 4 });
  generators.push(generator);
  const probed: string[] = [];
  return { generator, prober: new ModelProber(generator, (model) => probed.push(model)), probed };
}

describe('ModelProber', () => {
  it('publishes of each model what a load says of it, with any adapter', async () => {
    const { generator, prober } = open(MODELS);
    const { models, rejected } = await prober.complete(await scanModels(MODELS));
    expect(rejected).toEqual([]);
    expect(models.map(({ model }) => model)).toEqual(['tiny-arith', 'tiny-arith-plain']);
    for (const model of models) {
      expect(ModelPublication.parse(model)).toEqual(model);
      for (const adapter of [null, ...model.adapters.map((published) => published.adapter)]) {
        expect((await generator.load(publicationTarget(model, adapter))).provenance).toEqual(model.execution_provenance);
      }
    }
    const [grouped, plain] = models.map((model) => model.execution_provenance['decoding']);
    expect(grouped).toMatchObject({ cache: 'slots', prompt_reuse: 'anywhere' });
    expect(plain).toMatchObject({ cache: 'holes', prompt_reuse: 'chunks' });
  });

  it('loads a model again only when its files change, and gives it up at once', async () => {
    const { generator, prober, probed } = open(MODELS);
    const scan = await scanModels(MODELS, { only: 'tiny-arith' });
    const first = await prober.complete(scan);
    expect(await prober.complete(scan)).toEqual(first);
    expect(probed).toEqual(['tiny-arith']);
    const results = generator.generate([{ target: publicationTarget(scan.models[0]!, null) } as never], new AbortController().signal);
    await expect(results[Symbol.asyncIterator]().next()).rejects.toThrow(/not loaded/);
    const [model] = scan.models;
    const changed = { ...scan, models: [{ ...model!, model_digest: 'sha256:other' }] };
    expect((await prober.complete(changed)).rejected).toEqual([{ path: 'tiny-arith', reason: expect.stringContaining('sha256:other') }]);
    expect(probed).toEqual(['tiny-arith', 'tiny-arith']);
  });

  it.each([
    { kills: 1, loads: [2, 2], rejected: 0 },
    { kills: Infinity, loads: [2, 2], rejected: 1 },
  ])('tries a model again when the engine ends, and not for ever: $kills', async ({ kills, loads, rejected }) => {
    const engine = createEngine({ kinds: ['onnx'], modelDir: MODELS });
    let count = 0;
    const load = async (target: FrozenTarget) => {
      const loaded = engine.load(target);
      loaded.catch(() => {});
      if (++count > kills) return loaded;
      while (engine.pids().onnx === undefined) await sleep(1);
      process.kill(engine.pids().onnx!, 'SIGKILL');
      return loaded;
    };
    const prober = new ModelProber({ load, unload: (target) => engine.unload(target) }, () => {});
    try {
      const scan = await scanModels(MODELS, { only: 'tiny-arith-plain' });
      for (const expected of loads) {
        const probed = await prober.complete(scan);
        expect([probed.models.length, probed.rejected.length, count]).toEqual([1 - rejected, rejected, expected]);
      }
    } finally {
      await engine.close();
    }
  });

  it('rejects a model whose rows see what was in their slots before, and goes on', async () => {
    const { prober } = open(folder);
    const { models, rejected } = await prober.complete(await scanModels(folder));
    expect(models.map(({ model }) => model)).toEqual(['sound']);
    expect(rejected).toEqual([
      {
        path: 'broken',
        reason: expect.stringMatching(/^model broken cannot be run reliably .*what lies behind a row changes its logits/),
      },
    ]);
  });
});
