import { readFile, stat } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { sha256Hex } from '@kiln/provenance';
import { type DecoderLayout, detectDecoderLayout, type Port, UnsupportedModelError } from './decoder-layout.js';
import { ElementType, type OnnxModel, type OnnxTensor, type OnnxValue, parseOnnx } from './graph/onnx-model.js';
import { OnnxFormatError } from './graph/protobuf-reader.js';
import { findProjections, type ProjectionSite } from './lora/projections.js';

/** What is known of a graph without running it. */
export interface GraphSummary {
  /** SHA-256 of the graph file in hex. */
  sha256: string;
  layout: DecoderLayout;
  /** Files with external weights, names relative to the graph's directory, sorted. */
  externalFiles: string[];
  projections: ReadonlyMap<string, ProjectionSite>;
  /** Weights are quantised: the runtime then picks its kernel by the number of rows. */
  quantised: boolean;
}

const TYPE_NAMES: ReadonlyMap<number, string> = new Map([
  [ElementType.float32, 'float32'],
  [ElementType.int64, 'int64'],
  [ElementType.float16, 'float16'],
  [ElementType.bfloat16, 'bfloat16'],
]);

/**
 * Reads and checks a graph file: well-formed, a decoder of a supported kind, its external weights all there.
 * @throws UnsupportedModelError
 */
export async function summariseGraph(path: string): Promise<GraphSummary> {
  const bytes = await readFile(path);
  const model = parse(bytes, path);
  const layout = detectDecoderLayout(model.inputs.map(port), model.outputs.map(port));
  return {
    sha256: sha256Hex(bytes),
    layout,
    externalFiles: await checkExternalFiles(model.initializers, dirname(path)),
    projections: new Map([...findProjections(model)].map(([key, { site }]) => [key, site])),
    quantised: model.nodes.some(({ opType }) => opType === 'MatMulNBits'),
  };
}

function parse(bytes: Uint8Array, path: string): OnnxModel {
  try {
    return parseOnnx(bytes);
  } catch (cause) {
    if (!(cause instanceof OnnxFormatError)) throw cause;
    throw new UnsupportedModelError(`${path} is not a readable ONNX file: ${cause.message}`, { cause });
  }
}

function port({ name, elementType, dims }: OnnxValue): Port {
  return { name, type: TYPE_NAMES.get(elementType ?? 0) ?? `element type ${elementType ?? 'unknown'}`, shape: dims ?? [] };
}

async function checkExternalFiles(tensors: readonly OnnxTensor[], directory: string): Promise<string[]> {
  const needed = new Map<string, number>();
  for (const { external } of tensors) {
    if (external === null) continue;
    const { location, offset, length } = external;
    if (normalize(location) !== location || location.startsWith('..') || location.startsWith('/')) {
      throw new UnsupportedModelError(`external weights lie outside the model's directory: ${location}`);
    }
    needed.set(location, Math.max(needed.get(location) ?? 0, offset + (length ?? 0)));
  }
  for (const [location, bytes] of needed) {
    const size = await stat(join(directory, location)).then(
      (entry) => entry.size,
      () => null,
    );
    if (size === null) throw new UnsupportedModelError(`external weights ${location} are missing`);
    if (size < bytes) throw new UnsupportedModelError(`external weights ${location} are cut off: ${size} of ${bytes} bytes`);
  }
  return [...needed.keys()].toSorted();
}
