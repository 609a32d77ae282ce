import { fileURLToPath } from 'node:url';
import { type FrozenModelTarget, Generation, type GenerationInput, type Message } from '@kiln/contracts';
import { FileMemo } from '../file-memo.js';
import { type GeneratedTrace, type Generator, type SampleRequest, type SampleResult } from '../generator.js';
import { modelVariant } from '../model-path.js';
import { adapterDigest, graphSummary, modelDigests } from '../onnx/digests.js';
import { readModelDirectory } from '../onnx/model-directory.js';

/** The models in this repository. */
export const MODELS = fileURLToPath(new URL('../../../../models', import.meta.url));

export const ECHO_TARGET: FrozenModelTarget = {
  kind: 'model',
  engine: 'echo',
  model: 'echo',
  adapter: null,
  model_digest: 'sha256:echo',
  adapter_digest: null,
  tokenizer_digest: 'sha256:echo',
  template_digest: 'sha256:echo',
  pricing: { kind: 'free' },
};

/** The target that admission would freeze for a model as it lies on disk now. */
export async function onnxTarget(model: string, adapter: string | null = null, modelDir = MODELS): Promise<FrozenModelTarget> {
  const memo = new FileMemo();
  const path = `${modelDir}/${model.replace(/@.*/, '')}`;
  const directory = await readModelDirectory(path, modelVariant(model));
  return {
    ...ECHO_TARGET,
    engine: 'onnx',
    model,
    adapter,
    ...(await modelDigests(directory, await graphSummary(directory, memo), memo)),
    adapter_digest: adapter === null ? null : await adapterDigest(`${path}/adapters/${adapter}`, memo),
  };
}

export function sampleRequest(
  target: SampleRequest['target'],
  prompt: string | Message[],
  over: Partial<Omit<SampleRequest, 'generation'>> & { generation?: GenerationInput } = {},
): SampleRequest {
  const { generation, ...rest } = over;
  return {
    id: 'sample',
    target,
    messages: typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt,
    tools: null,
    seed: '42',
    deadlineMs: 30_000,
    ...rest,
    generation: Generation.parse({ max_tokens: 24, ...generation }),
  };
}

/** All results by sample id. */
export async function collect(
  generator: Generator,
  samples: readonly SampleRequest[],
  signal = new AbortController().signal,
): Promise<Map<string, SampleResult>> {
  const results = new Map<string, SampleResult>();
  for await (const result of generator.generate(samples, signal)) {
    if (results.has(result.id)) throw new Error(`two results for ${result.id}`);
    results.set(result.id, result);
  }
  return results;
}

export async function trace(generator: Generator, sample: SampleRequest): Promise<GeneratedTrace> {
  const result = (await collect(generator, [sample])).get(sample.id);
  if (result?.ok !== true) throw new Error(`no trace: ${JSON.stringify(result)}`);
  return result.trace;
}

/** `count` arithmetic questions of differing length with their answers, the same on every call. */
export function arithmeticQuestions(count: number): { question: string; answer: string }[] {
  let state = 1;
  const draw = (low: number, high: number) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return low + (state % (high - low + 1));
  };
  return Array.from({ length: count }, (_, index) => {
    const [a, b] = [draw(10, 999), draw(10, 999)];
    const [larger, smaller] = a < b ? [b, a] : [a, b];
    const [x, y] = [draw(2, 98), draw(2, 12)];
    if (index % 3 === 0) return { question: `${a} + ${b}?`, answer: String(a + b) };
    if (index % 3 === 1) return { question: `${larger} - ${smaller}?`, answer: String(larger - smaller) };
    return { question: `${x} × ${y}?`, answer: String(x * y) };
  });
}
