import { type Provider } from '../ort/ort-session.js';

const GENERATOR_KINDS = ['onnx', 'openai', 'echo'] as const;
export type GeneratorKind = (typeof GENERATOR_KINDS)[number];

/** What a child is told when it is forked, as JSON in its first argument. */
export interface ChildOptions {
  kind: GeneratorKind;
  modelDir: string;
  /** Where local models are computed. */
  provider: Provider;
  /** Threads of the ONNX runtime, per step. */
  threads: number;
  /** Most samples that a local model decodes together. */
  maxBatch: number;
  /** Most bytes of keys and values; null = by the memory of the machine or, with CUDA, of the device. */
  kvCacheBytes: number | null;
  /** Most bytes of weights that stay loaded after their last use; null = likewise. */
  weightCacheBytes: number | null;
  /** Environment variables that endpoint targets may name as their key; null = by rule. */
  allowedKeys: string[] | null;
}

/** @throws TypeError when the argument is not what EngineChildProcess writes. */
export function parseChildOptions(argument: string | undefined): ChildOptions {
  const { kind, modelDir, provider, threads, maxBatch, kvCacheBytes, weightCacheBytes, allowedKeys } = JSON.parse(
    argument ?? '{}',
  ) as Partial<ChildOptions>;
  const isKind = GENERATOR_KINDS.some((known) => known === kind);
  const isComplete = [provider, kvCacheBytes, weightCacheBytes, allowedKeys].every((option) => option !== undefined);
  const areNumbers = [threads, maxBatch].every(Number.isSafeInteger);
  if (!isKind || typeof modelDir !== 'string' || !areNumbers || !isComplete) {
    throw new TypeError('this program is forked by the engine, with its options as JSON; it is not run by hand');
  }
  return {
    kind: kind!,
    modelDir,
    provider: provider!,
    threads: threads!,
    maxBatch: maxBatch!,
    kvCacheBytes: kvCacheBytes!,
    weightCacheBytes: weightCacheBytes!,
    allowedKeys: allowedKeys!,
  };
}
