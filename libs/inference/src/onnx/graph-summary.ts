import { readFile } from 'node:fs/promises';
import { sha256Hex } from '@kiln/provenance';
import { type DecoderLayout, detectDecoderLayout, type Port } from './decoder-layout.js';
import { ElementType, type OnnxValue, parseOnnx } from './graph/onnx-model.js';
import { OnnxFormatError } from './graph/protobuf-reader.js';
import { checkExternalWeights } from './external-weights.js';
import { describeOperators } from './graph-operators.js';
import { findLoraSites, type LoraSites } from './lora/lora-sites.js';
import { type PortNames, STANDARD_NAMES } from './port-names.js';
import { UnsupportedModelError } from './unsupported-model-error.js';

/** What is known of a graph without running it. */
export interface GraphSummary {
  /** SHA-256 of the graph file in hex. */
  sha256: string;
  layout: DecoderLayout;
  /** Files with external weights, names relative to the graph's directory, sorted. */
  externalFiles: string[];
  /** Where adapters can be injected. */
  loraSites: LoraSites;
}

const TYPE_NAMES: ReadonlyMap<number, string> = new Map(Object.entries(ElementType).map(([name, code]) => [code, name]));

/**
 * Reads and checks a graph file: well-formed, a decoder of a supported kind, its external weights all there.
 * @throws UnsupportedModelError
 */
export async function summariseGraph(path: string, names: PortNames = STANDARD_NAMES): Promise<GraphSummary> {
  const bytes = await readFile(path);
  const { model, operators, loraSites } = readable(path, () => {
    const parsed = parseOnnx(bytes);
    return { model: parsed, operators: describeOperators(parsed), loraSites: findLoraSites(parsed) };
  });
  const constants = new Set(model.initializers.map(({ name }) => name));
  // Older exporters list the weights among the inputs, where they need not be fed.
  const inputs = model.inputs.filter(({ name }) => !constants.has(name));
  return {
    sha256: sha256Hex(bytes),
    layout: detectDecoderLayout(inputs.map(port), model.outputs.map(port), operators, names),
    externalFiles: await checkExternalWeights(model.initializers, path),
    loraSites,
  };
}

function readable<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof OnnxFormatError)) throw cause;
    throw new UnsupportedModelError(`${path} is not a readable ONNX file: ${cause.message}`, { cause });
  }
}

function port({ name, elementType, dims }: OnnxValue): Port {
  return { name, type: TYPE_NAMES.get(elementType ?? 0) ?? `element type ${elementType ?? 'unknown'}`, shape: dims ?? [] };
}
