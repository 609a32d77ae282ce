import { createRequire } from 'node:module';
import { arch, cpus, platform } from 'node:os';
import { type JsonObject } from '@kiln/contracts';
import { type ExecutionProvenance } from '../generator.js';
import { DISABLED_OPTIMIZERS } from '../ort/graph-optimization.js';
import { SAMPLER_VERSION } from '../sampling/sampler.js';
import { type ModelExecution } from './model-pool.js';

/** Changes when the same files and request may give other tokens than before. */
export const ONNX_ENGINE_VERSION = 'kiln.onnx.v2';

export const GRAPH_OPTIMIZATION = `all but ${DISABLED_OPTIMIZERS.join(', ')}`;

/**
 * What the tokens of a local model may depend on besides its files and the request.
 * @param threads of the runtime, per step
 * @param provider the provenance that `providerFacts` gives.
 */
export function onnxExecutionProvenance(
  threads: number,
  provider: JsonObject,
  { backend, rules, adapterMinRows }: ModelExecution,
): ExecutionProvenance {
  const { version } = createRequire(import.meta.url)('onnxruntime-node/package.json') as { version: string };
  return {
    engine: ONNX_ENGINE_VERSION,
    sampler: SAMPLER_VERSION,
    onnxruntime: version,
    backend,
    ...provider,
    graph_optimization: GRAPH_OPTIMIZATION,
    threads,
    adapter_injection: 'fed',
    decoding: {
      cache: rules.past,
      min_rows: rules.minRows,
      adapter_min_rows: adapterMinRows,
      single_rows: rules.maxRows === 1,
      step_sizes: rules.stepSizes === null ? null : [...rules.stepSizes],
      prompt_reuse: rules.reuse,
      chunk_tokens: Number.isFinite(rules.chunkTokens) ? rules.chunkTokens : null,
    },
    node: process.version,
    platform: platform(),
    arch: arch(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
  };
}
