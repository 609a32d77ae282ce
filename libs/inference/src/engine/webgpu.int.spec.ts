import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildEngine } from '../testing/build-engine.fixture.js';
import { arithmeticQuestions, collect, MODELS, onnxTarget, sampleRequest } from '../testing/onnx-target.fixture.js';
import { createEngine, type Engine } from './create-engine.js';

/*
 * In a child, as always: with WebGPU some mistakes end the process. A Vulkan driver on the CPU is enough, such as SwiftShader with
 * VK_ICD_FILENAMES=<its vk_swiftshader_icd.json> and a loader, libvulkan.so.1, on the path of the linker.
 */

const engines: Record<'cpu' | 'webgpu', Engine> = {} as never;
/** Why WebGPU cannot be had here; null = it can. */
let missing: string | null = null;

beforeAll(async () => {
  await buildEngine();
  for (const kind of ['cpu', 'webgpu'] as const) engines[kind] = createEngine({ kinds: ['onnx'], modelDir: MODELS, provider: { kind } });
  missing = await engines.webgpu.start('onnx').then(
    () => null,
    (error: Error) => error.message,
  );
}, 120_000);
afterAll(() => Promise.all(Object.values(engines).map((engine) => engine.close())));

it('answers on WebGPU as on the CPU, with an adapter and without, where there is a Vulkan driver', async ({ skip }) => {
  if (missing !== null) {
    expect(missing).toMatch(/cannot compute on webgpu: .*set worker\.provider to cpu/);
    skip(missing);
  }
  const targets = [await onnxTarget('tiny-arith'), await onnxTarget('tiny-arith', 'math-v2'), await onnxTarget('tiny-arith-plain')];
  const samples = targets.flatMap((target, index) =>
    arithmeticQuestions(8).map(({ question }, turn) => sampleRequest(target, question, { id: `${index} ${turn}` })),
  );
  const answers = async (engine: Engine) => {
    const results = await collect(engine, samples);
    return samples.map(({ id }) => {
      const result = results.get(id)!;
      return result.ok ? result.trace.text : result.error.message;
    });
  };
  expect(await answers(engines.webgpu)).toEqual(await answers(engines.cpu));
  expect(await engines.webgpu.load(targets[0]!)).toMatchObject({ provenance: { execution_provider: 'webgpu' } });
}, 300_000);
