import { readFloatAttribute, readIntAttribute, readIntsAttribute } from '../graph/attributes.js';
import { ElementType, type OnnxModel, type OnnxNode, type OnnxTensor } from '../graph/onnx-model.js';
import { moduleKey, namesModule } from './module-path.js';
import { AdapterError, type PeftAdapter } from './peft-adapter.js';

/** A projection beside which an adapter's branch can stand. */
export interface LoraSite {
  /** As {@link moduleKey} gives it. */
  key: string;
  /** The names of the two matrices as inputs of the graph: A [in, rank], and B [rank, out] times the adapter's scale. */
  a: string;
  b: string;
  inFeatures: number;
  outFeatures: number;
  /** Of the activations, and so of both matrices. */
  type: 'float32' | 'float16';
}

export interface LoraSites {
  sites: ReadonlyMap<string, LoraSite>;
  /** Projections that can take no adapter, and why. */
  unfit: ReadonlyMap<string, string>;
}

type Shape = Omit<LoraSite, 'key' | 'a' | 'b' | 'type'> & { elementType: number };

/** Projections that exporters fuse, and what the fused one is called. */
const FUSED: readonly [part: RegExp, fused: RegExp][] = [
  [/^(q|k|v)_proj$/, /qkv|query_key_value|c_attn|in_proj/i],
  [/^(gate|up)_proj$/, /gate_up|gate_proj_up|up_gate/i],
];

/** A graph's projections with constant weights. Products of activations, as in attention, are none. */
export function findLoraSites(model: OnnxModel): LoraSites {
  const sites = new Map<string, LoraSite>();
  const unfit = new Map<string, string>();
  for (const { key, site } of projections(model)) {
    if (sites.has(key) || unfit.has(key)) {
      sites.delete(key);
      unfit.set(key, 'the graph has several projections of this name');
    } else if (typeof site === 'string') unfit.set(key, site);
    else sites.set(key, site);
  }
  return { sites, unfit };
}

/** The nodes of a graph's sites, by key. */
export function loraSiteNodes(model: OnnxModel): Map<string, { node: OnnxNode; site: LoraSite }> {
  const { sites } = findLoraSites(model);
  const found = new Map<string, { node: OnnxNode; site: LoraSite }>();
  for (const { key, node } of projections(model)) {
    const site = sites.get(key);
    if (site !== undefined) found.set(key, { node, site });
  }
  return found;
}

/**
 * The keys of the adapter's updates.
 * @throws AdapterError naming the first target that the graph does not have, or has in another form or shape.
 */
export function checkAdapterTargets(adapter: PeftAdapter, { sites, unfit }: LoraSites): ReadonlySet<string> {
  const keys = new Map<string, string>();
  for (const [path, update] of adapter) {
    const key = moduleKey(path);
    const site = sites.get(key);
    if (site === undefined) throw new AdapterError(`the adapter targets ${path}, ${missingReason(key, { sites, unfit })}`);
    const { inFeatures, outFeatures } = site;
    if (inFeatures !== update.inFeatures || outFeatures !== update.outFeatures) {
      throw new AdapterError(
        `${path} is ${inFeatures} x ${outFeatures} in the model, but ${update.inFeatures} x ${update.outFeatures} in the adapter`,
      );
    }
    const other = keys.get(key);
    if (other !== undefined) throw new AdapterError(`the adapter updates one projection twice, as ${other} and as ${path}`);
    keys.set(key, path);
  }
  return new Set(keys.keys());
}

function missingReason(key: string, { sites, unfit }: LoraSites): string {
  const reason = unfit.get(key);
  if (reason !== undefined) return `which can take no adapter: ${reason}`;
  const at = key.lastIndexOf('.') + 1;
  const fusedName = FUSED.find(([part]) => part.test(key.slice(at)))?.[1];
  const siblings = [...sites.keys(), ...unfit.keys()].filter((other) => other.startsWith(key.slice(0, at)));
  const fused = siblings.find((other) => fusedName?.test(other.slice(at)));
  if (fused !== undefined)
    return `which the graph has only fused into ${fused}; export the model with separate projections (in the model builder of onnxruntime-genai, fuse_qkv=false; disable_qkv_fusion=true in older versions)`;
  return 'which the graph does not have as a projection of its own';
}

function* projections(model: OnnxModel): Generator<{ key: string; node: OnnxNode; site: LoraSite | string }> {
  const tensors = new Map(model.initializers.map((tensor) => [tensor.name, tensor]));
  const producers = new Map(model.nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
  for (const node of model.nodes) {
    const { weight, shape } = projection(node, tensors, producers) ?? {};
    if (weight === undefined || shape === undefined) continue;
    const name = [node.name, weight.name].find(namesModule);
    if (name === undefined) continue;
    const key = moduleKey(name);
    yield { key, node, site: typeof shape === 'string' ? shape : asSite(key, shape) };
  }
}

function asSite(key: string, { elementType, ...sizes }: Shape): LoraSite | string {
  const type = elementType === ElementType.float32 ? 'float32' : elementType === ElementType.float16 ? 'float16' : null;
  if (type === null) return `its activations have the element type ${elementType}; float32 and float16 are supported`;
  return { key, a: `kiln.lora.${key}.a`, b: `kiln.lora.${key}.b`, ...sizes, type };
}

/** The weight that a node multiplies with, and the projection's shape, or why it can take no branch. null: no projection. */
function projection(
  node: OnnxNode,
  tensors: ReadonlyMap<string, OnnxTensor>,
  producers: ReadonlyMap<string, OnnxNode>,
): { weight: OnnxTensor; shape: Shape | string } | null {
  const [, weightName = '', scalesName = ''] = node.inputs;
  const weight = findWeight(weightName, tensors, producers);
  if (weight === null) return null;
  switch (node.opType) {
    case 'MatMul':
      return dense(weight, false);
    case 'FusedMatMul': {
      const scaled = (readFloatAttribute(node, 'alpha') ?? 1) !== 1 || readIntAttribute(node, 'transA') === 1;
      return scaled
        ? { weight: weight.tensor, shape: 'FusedMatMul scales or transposes' }
        : dense(weight, readIntAttribute(node, 'transB') === 1);
    }
    case 'Gemm': {
      const scaled = (readFloatAttribute(node, 'alpha') ?? 1) !== 1 || readIntAttribute(node, 'transA') === 1;
      return scaled ? { weight: weight.tensor, shape: 'Gemm scales or transposes' } : dense(weight, readIntAttribute(node, 'transB') === 1);
    }
    case 'MatMulNBits':
    case 'MatMulBnb4': {
      const inFeatures = readIntAttribute(node, 'K');
      const outFeatures = readIntAttribute(node, 'N');
      const scales = tensors.get(scalesName);
      if (inFeatures === null || outFeatures === null || scales === undefined) return null;
      return { weight: weight.tensor, shape: { inFeatures, outFeatures, elementType: scales.elementType } };
    }
    case 'MatMulInteger':
    case 'MatMulIntegerToFloat':
    case 'DynamicQuantizeMatMul':
      return { weight: weight.tensor, shape: `${node.opType} works on rounded activations; use a graph with float activations` };
    default:
      return null;
  }
}

interface Weight {
  tensor: OnnxTensor;
  transposed: boolean;
  /** Of the values that reach the product. */
  elementType: number;
}

function dense({ tensor, transposed, elementType }: Weight, transposedByNode: boolean): { weight: OnnxTensor; shape: Shape } | null {
  if (tensor.dims.length !== 2) return null;
  const [first, second] = tensor.dims as [number, number];
  const [inFeatures, outFeatures] = transposed === transposedByNode ? [first, second] : [second, first];
  return { weight: tensor, shape: { inFeatures, outFeatures, elementType } };
}

/** The constant behind a product's second input, through the operators that exporters put between. */
function findWeight(name: string, tensors: ReadonlyMap<string, OnnxTensor>, producers: ReadonlyMap<string, OnnxNode>): Weight | null {
  let transposed = false;
  let elementType: number | null = null;
  let current = name;
  // A chain longer than this is no weight as exporters write it; a damaged graph may hold a cycle.
  for (let steps = 0; steps < 8; steps++) {
    const tensor = tensors.get(current);
    if (tensor !== undefined) return { tensor, transposed, elementType: elementType ?? tensor.elementType };
    const node = producers.get(current);
    if (node === undefined) return null;
    if (node.opType === 'Transpose') {
      if (readIntsAttribute(node, 'perm')?.join() !== '1,0') return null;
      transposed = !transposed;
    } else if (node.opType === 'Cast') elementType ??= readIntAttribute(node, 'to');
    else if (node.opType === 'DequantizeLinear') elementType ??= tensors.get(node.inputs[1] ?? '')?.elementType ?? null;
    else if (node.opType !== 'Identity') return null;
    current = node.inputs[0] ?? '';
  }
  return null;
}
