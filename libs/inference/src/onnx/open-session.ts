import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type InferenceSession } from 'onnxruntime-node';
import ort from 'onnxruntime-node';
import { type DecoderLayout, detectDecoderLayout, type Port } from './decoder-layout.js';
import { GRAPH_OPTIMIZATION } from './execution-provenance.js';
import { ElementType, encodeOnnx, parseOnnx } from './graph/onnx-model.js';
import { bakeAdapter } from './lora/bake-adapter.js';
import { type PeftAdapter } from './lora/peft-adapter.js';

export interface OpenSession {
  session: InferenceSession;
  layout: DecoderLayout;
}

/**
 * Opens a graph on the CPU, with an adapter baked in or as it is. Blocks this thread while the runtime loads it.
 * @param threads of the runtime, per step.
 * @throws AdapterError, UnsupportedModelError, or the runtime's error.
 */
export async function openSession(
  graphPath: string,
  adapter: PeftAdapter | null,
  layout: DecoderLayout,
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
  const session =
    adapter === null ? await ort.InferenceSession.create(graphPath, options) : await openBaked(graphPath, adapter, layout, options);
  return { session, layout: detectDecoderLayout(session.inputMetadata.map(port), session.outputMetadata.map(port)) };
}

async function openBaked(
  graphPath: string,
  adapter: PeftAdapter,
  layout: DecoderLayout,
  options: InferenceSession.SessionOptions,
): Promise<InferenceSession> {
  const elementType = layout.cacheType === 'float16' ? ElementType.float16 : ElementType.float32;
  const graph = encodeOnnx(bakeAdapter(parseOnnx(await readFile(graphPath)), adapter, elementType));
  return ort.InferenceSession.create(graph, {
    ...options,
    // Bytes have no directory; without this, external weights are looked for in the working directory, and refused.
    extra: { session: { model_external_initializers_file_folder_path: dirname(graphPath) } },
  });
}

function port(metadata: InferenceSession.ValueMetadata): Port {
  return metadata.isTensor ? metadata : { name: metadata.name, type: 'no tensor', shape: [] };
}
