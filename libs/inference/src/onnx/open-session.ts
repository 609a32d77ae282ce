import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type InferenceSession } from 'onnxruntime-node';
import ort from 'onnxruntime-node';
import { type DecoderLayout } from './decoder-layout.js';
import { GRAPH_OPTIMIZATION } from './execution-provenance.js';
import { encodeOnnx, parseOnnx } from './graph/onnx-model.js';
import { type GraphSummary } from './graph-summary.js';
import { adapterTensors } from './lora/adapter-tensors.js';
import { injectLora } from './lora/inject-lora.js';
import { checkAdapterTargets } from './lora/lora-sites.js';
import { type PeftAdapter } from './lora/peft-adapter.js';

export interface OpenSession {
  session: InferenceSession;
  layout: DecoderLayout;
  /** The adapter's tensors, which every run is fed. */
  adapterFeeds: Readonly<Record<string, ort.Tensor>>;
}

/**
 * Opens a graph on the CPU, with places for an adapter or as it is. Blocks this thread while the runtime loads it.
 * @param threads of the runtime, per step.
 * @throws AdapterError, or the runtime's error.
 */
export async function openSession(
  graphPath: string,
  adapter: PeftAdapter | null,
  { layout, loraSites }: Pick<GraphSummary, 'layout' | 'loraSites'>,
  threads: number,
): Promise<OpenSession> {
  const options: InferenceSession.SessionOptions = {
    executionProviders: ['cpu'],
    graphOptimizationLevel: GRAPH_OPTIMIZATION,
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    // 3 = errors only; the runtime writes to the standard error of this process.
    logSeverityLevel: 3,
  };
  if (adapter === null) return { session: await ort.InferenceSession.create(graphPath, options), layout, adapterFeeds: {} };
  const keys = checkAdapterTargets(adapter, loraSites);
  const { model, sites } = injectLora(parseOnnx(await readFile(graphPath)), keys, 'required');
  const session = await ort.InferenceSession.create(encodeOnnx(model), {
    ...options,
    // Bytes have no directory; without this, external weights are looked for in the working directory, and refused.
    extra: { session: { model_external_initializers_file_folder_path: dirname(graphPath) } },
  });
  const tensors = [...adapterTensors(adapter, sites, 'required')];
  return {
    session,
    layout,
    adapterFeeds: Object.fromEntries(tensors.map(([name, { type, data, dims }]) => [name, new ort.Tensor(type, data, dims)])),
  };
}
