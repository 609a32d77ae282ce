import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FrozenModelTarget } from '@kiln/contracts';
import { scanModels } from '../../models/scan-models.js';
import { DEFAULT_MAX_BATCH } from '../../onnx/default-max-batch.js';
import { summariseGraph } from '../../onnx/graph-summary.js';
import { openOrtSession } from '../../ort/open-ort-session.js';
import { providerFacts } from '../../ort/provider-facts.js';
import { MID_SHAPE } from '../../testing/graphs/decoder-graph-options.js';
import { writeGeneratedModel } from '../../testing/graphs/write-generated-model.js';
import { madeUpAdapter } from '../../onnx/probe/made-up-adapter.js';
import { publicationTarget } from '../../models/publication-target.js';
import { checkDevice } from './check-device.js';
import { precisionGraph } from './check-precision.js';
import { deviceCheckLines } from './device-check-lines.js';
import { findGpu } from './find-gpu.js';

export const CUDA_EXIT = { ok: 0, failed: 1, noGpu: 3 } as const;

const MODELS = fileURLToPath(new URL('../../../../../models', import.meta.url));
/** In float32, whose rounding changes no answer. Only in parts: GroupQueryAttention has no float32 on CUDA. */
const ANSWERING = 'tiny-arith-plain';
/** The same weights, and adapters for them. */
const ADAPTED = 'tiny-arith';
const ADAPTER = 'math-v2';
const RANK = 16;
const PROVIDER = { kind: 'cuda', deviceId: 0 } as const;

/** Checks the first CUDA device. @returns the exit code */
export async function runCudaCheck(print: (line: string) => void, gpu = findGpu()): Promise<number> {
  if (gpu === null) {
    print('there is no NVIDIA GPU here; nothing was checked');
    return CUDA_EXIT.noGpu;
  }
  try {
    await (await openOrtSession(precisionGraph(), { threads: 1, provider: PROVIDER })).close();
    // A worker does not start without them.
    await providerFacts(PROVIDER);
  } catch (error) {
    print(`${gpu} shows a GPU, but a worker cannot use it: ${(error as Error).message}`);
    return CUDA_EXIT.failed;
  }
  const folder = await mkdtemp(join(tmpdir(), 'kiln-cuda-'));
  try {
    print('writing a model of 125 M parameters …');
    const modelPath = join(folder, 'generated');
    await writeGeneratedModel(modelPath, {
      graph: { shape: MID_SHAPE, type: 'float16' },
      dataFiles: 1,
      tokenizerFrom: join(MODELS, ADAPTED),
    });
    const { loraSites } = await summariseGraph(join(modelPath, 'onnx', 'model.onnx'));
    const check = await checkDevice({
      provider: PROVIDER,
      modelPath,
      adapter: madeUpAdapter(loraSites.sites, RANK),
      ...(await answeringModels(join(folder, 'models'))),
      maxBatch: DEFAULT_MAX_BATCH,
      context: 256,
      widths: [320, MID_SHAPE.positions],
      onProgress: (line) => print(`${line} …`),
    });
    for (const line of deviceCheckLines(check)) print(line);
    return check.findings.every(({ holds }) => holds) ? CUDA_EXIT.ok : CUDA_EXIT.failed;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The trained model of this repository, as it is and with an adapter, copied to where the two lie together. */
async function answeringModels(modelDir: string): Promise<{ modelDir: string; answering: Map<string, FrozenModelTarget> }> {
  await cp(join(MODELS, ANSWERING), join(modelDir, ANSWERING), { recursive: true });
  await cp(join(MODELS, ADAPTED, 'adapters', ADAPTER), join(modelDir, ANSWERING, 'adapters', ADAPTER), { recursive: true });
  const { models } = await scanModels(modelDir);
  const [publication] = models;
  const answering = new Map([null, ADAPTER].map((adapter) => [adapter ?? ANSWERING, publicationTarget(publication!, adapter)]));
  return { modelDir, answering };
}
