import { newNode } from '../graph/attributes.js';
import { newRawTensor } from '../graph/new-tensor.js';
import { newValue } from '../graph/new-value.js';
import { ElementType, type OnnxModel, type OnnxNode, type OnnxTensor, type OnnxValue } from '../graph/onnx-model.js';
import { readFields, readUnsigned } from '../graph/protobuf-reader.js';
import { varintField } from '../graph/protobuf-writer.js';
import { type LoraSite, loraSiteNodes } from './lora-sites.js';

/**
 * `overridable`: the matrices are initializers of rank 0 that a run may override (C API), so that a run without an adapter
 * feeds nothing. `required`: they are inputs that every run must feed (JavaScript API), with rank 0 for none.
 */
export type LoraMode = 'overridable' | 'required';

const IR_VERSION = 1;
/** Since this version of the format an initializer need not be an input, and one that is can be overridden. */
const FIRST_OVERRIDABLE_IR = 4;

/**
 * The model with a low-rank branch beside each projection of `keys`: y = W x + (x A) B. The weights stay as they are, quantised
 * or not, in the file or outside; what is not understood is kept. With rank 0 the branch adds zeros.
 * @param keys of sites of the graph ({@link findLoraSites}); others are passed over.
 */
export function injectLora(model: OnnxModel, keys: ReadonlySet<string>, mode: LoraMode): { model: OnnxModel; sites: LoraSite[] } {
  const replaced = new Map<OnnxNode, OnnxNode[]>();
  const sites: LoraSite[] = [];
  for (const [key, { node, site }] of loraSiteNodes(model)) {
    if (!keys.has(key)) continue;
    replaced.set(node, branch(node, site));
    sites.push(site);
  }
  const constants = new Set(model.initializers.map(({ name }) => name));
  const injected: OnnxModel = {
    ...model,
    header: withIrVersion(model.header),
    nodes: model.nodes.flatMap((node) => replaced.get(node) ?? [node]),
    // Files of the old format list their weights as inputs; now that would make them overridable, and slower.
    inputs: [
      ...(isOldFormat(model.header) ? model.inputs.filter(({ name }) => !constants.has(name)) : model.inputs),
      ...sites.flatMap(matrixInputs),
    ],
    initializers: mode === 'required' ? model.initializers : [...model.initializers, ...sites.flatMap(emptyMatrices)],
  };
  return { model: injected, sites };
}

function branch(node: OnnxNode, { key, a, b }: LoraSite): OnnxNode[] {
  const prefix = `/kiln/lora/${key}`;
  const [output, ...others] = node.outputs as [string, ...string[]];
  return [
    { ...node, outputs: [`${prefix}/base`, ...others] },
    newNode(`${prefix}/down`, 'MatMul', [node.inputs[0]!, a], [`${prefix}/down/out`]),
    newNode(`${prefix}/up`, 'MatMul', [`${prefix}/down/out`, b], [`${prefix}/up/out`]),
    newNode(`${prefix}/add`, 'Add', [`${prefix}/base`, `${prefix}/up/out`], [output]),
  ];
}

/** Each site has a dimension of its own: equal names claim equal sizes, but an adapter's rank may differ from site to site. */
function matrixInputs({ key, a, b, inFeatures, outFeatures, type }: LoraSite): OnnxValue[] {
  const rank = `kiln.lora.${key}.rank`;
  return [newValue(a, ElementType[type], [inFeatures, rank]), newValue(b, ElementType[type], [rank, outFeatures])];
}

function emptyMatrices({ a, b, inFeatures, outFeatures, type }: LoraSite): OnnxTensor[] {
  const none = new Uint8Array(0);
  return [newRawTensor(a, [inFeatures, 0], ElementType[type], none), newRawTensor(b, [0, outFeatures], ElementType[type], none)];
}

function isOldFormat(header: readonly Uint8Array[]): boolean {
  return irVersion(header) < FIRST_OVERRIDABLE_IR;
}

function withIrVersion(header: readonly Uint8Array[]): Uint8Array[] {
  if (!isOldFormat(header)) return [...header];
  return [varintField(IR_VERSION, FIRST_OVERRIDABLE_IR), ...header.filter((raw) => [...readFields(raw)][0]?.number !== IR_VERSION)];
}

function irVersion(header: readonly Uint8Array[]): number {
  for (const raw of header) for (const field of readFields(raw)) if (field.number === IR_VERSION) return readUnsigned(field);
  return 0;
}
