import { type FrozenModelTarget, Generation } from '@kiln/contracts';
import { publicationTarget } from '../../models/publication-target.js';
import { scanModels } from '../../models/scan-models.js';
import { OnnxGenerator } from '../../onnx/onnx-generator.js';
import { loadOrtLibrary } from '../../ort/ort-library.js';

export interface SoakOptions {
  readonly modelDir: string;
  readonly durationMs: number;
  readonly intervalMs: number;
  readonly onSample: (sample: SoakSample) => void;
}

/** The state of the process at one moment. */
export interface SoakSample {
  readonly elapsedMs: number;
  readonly jobs: number;
  readonly samples: number;
  /** Jobs that were given up before their end. */
  readonly cancelled: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  /** Array buffers: tensors. */
  readonly bufferBytes: number;
  readonly nativeObjects: number;
}

export interface SoakResult {
  readonly samples: readonly SoakSample[];
  /** What is alive of the runtime's objects after the engine was closed, by kind. */
  readonly leaked: Readonly<Record<string, number>>;
}

/** Jobs at a time. */
const CONCURRENCY = 3;

/**
 * Jobs of every model and adapter in a directory, one after another and beside each other: of many sizes, sampled and greedy, with several
 * completions of a prompt; every third one is cancelled on the way, and targets are unloaded and loaded again.
 */
export async function soakEngine({ modelDir, durationMs, intervalMs, onSample }: SoakOptions): Promise<SoakResult> {
  const targets = await findTargets(modelDir);
  const { library } = await loadOrtLibrary();
  const census = () => library?.census.counts() ?? {};
  // Room for one model's weights, so that they are given up and loaded again.
  const generator = new OnnxGenerator({ modelDir, threads: 1, maxBatch: 8, budget: { kvCacheBytes: 2 ** 26, weightBytes: 2 ** 22 } });
  const startedAt = performance.now();
  const counts = { jobs: 0, samples: 0, cancelled: 0 };
  const samples: SoakSample[] = [];
  const elapsed = () => performance.now() - startedAt;
  const take = () => {
    const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
    const nativeObjects = Object.values(census()).reduce((sum, count) => sum + count, 0);
    const sample = { elapsedMs: elapsed(), ...counts, rssBytes: rss, heapBytes: heapUsed, bufferBytes: arrayBuffers, nativeObjects };
    samples.push(sample);
    onSample(sample);
  };
  const timer = setInterval(take, intervalMs);
  try {
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        while (elapsed() < durationMs) await runJob(generator, targets, counts);
      }),
    );
  } finally {
    clearInterval(timer);
    await generator.close();
  }
  return { samples, leaked: census() };
}

async function runJob(
  generator: OnnxGenerator,
  targets: readonly FrozenModelTarget[],
  counts: { jobs: number; samples: number; cancelled: number },
): Promise<void> {
  const job = counts.jobs++;
  const target = targets[job % targets.length]!;
  await generator.load(target);
  const generation = Generation.parse({
    max_tokens: 4 + ((job * 7) % 60),
    temperature: job % 2,
    top_k: (job % 5) * 10,
    min_p: (job % 3) / 20,
  });
  const completions = 1 + (job % 4);
  const requests = Array.from({ length: 1 + ((job * 5) % 40) }, (_, index) => ({
    id: String(index),
    target,
    messages: [{ role: 'user' as const, content: `${Math.floor(index / completions) * 37 + (job % 11)} + ${'9'.repeat(1 + (job % 20))}?` }],
    tools: null,
    generation,
    seed: String(job * 1000 + index),
    deadlineMs: 600_000,
  }));
  const abort = new AbortController();
  const isCancelled = job % 3 === 2;
  let seen = 0;
  for await (const result of generator.generate(requests, abort.signal)) {
    if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
    counts.samples++;
    if (isCancelled && ++seen > requests.length / 4) abort.abort();
  }
  if (isCancelled) counts.cancelled++;
  if (job % 10 === 9) await generator.unload(target).catch(() => {});
}

async function findTargets(modelDir: string): Promise<FrozenModelTarget[]> {
  const { models } = await scanModels(modelDir);
  const targets = models.flatMap((model) =>
    [null, ...model.adapters.map(({ adapter }) => adapter)].map((adapter) => publicationTarget(model, adapter)),
  );
  if (targets.length === 0) throw new Error(`there is no model in ${modelDir}`);
  return targets;
}
