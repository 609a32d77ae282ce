import { newTensor } from '../graph/new-tensor.js';
import { type OnnxModel, type OnnxNode, type OnnxTensor } from '../graph/onnx-model.js';
import { type LoraUpdate, type PeftAdapter } from './peft-adapter.js';
import { checkAdapterTargets, findProjections, projectionKey } from './projections.js';

/**
 * The model with the adapter's low-rank branch beside each projection that it targets: y = W x + B (A x). The weights
 * stay as they are, quantised or not. A and B are constants of `elementType`, the type of the activations.
 * @throws AdapterError naming a target that the graph does not have, or whose shape differs.
 */
export function bakeAdapter(model: OnnxModel, adapter: PeftAdapter, elementType: number): OnnxModel {
  const projections = findProjections(model);
  checkAdapterTargets(adapter, new Map([...projections].map(([key, { site }]) => [key, site])));
  const replaced = new Map<OnnxNode, OnnxNode[]>();
  const tensors: OnnxTensor[] = [];
  for (const [path, update] of adapter) {
    const { node } = projections.get(projectionKey(path))!;
    const branch = lowRankBranch(path, update, node, elementType);
    replaced.set(node, branch.nodes);
    tensors.push(...branch.tensors);
  }
  return {
    ...model,
    nodes: model.nodes.flatMap((node) => replaced.get(node) ?? [node]),
    initializers: [...model.initializers, ...tensors],
  };
}

function lowRankBranch(
  path: string,
  update: LoraUpdate,
  node: OnnxNode,
  elementType: number,
): { nodes: OnnxNode[]; tensors: OnnxTensor[] } {
  const prefix = `/kiln/lora/${path}`;
  const { rank, inFeatures, outFeatures, scale } = update;
  const scaled = update.b.map((value) => value * scale);
  const a = newTensor(`${prefix}/A`, [inFeatures, rank], elementType, transpose(update.a, rank, inFeatures));
  const b = newTensor(`${prefix}/B`, [rank, outFeatures], elementType, transpose(scaled, outFeatures, rank));
  const [output, ...others] = node.outputs as [string, ...string[]];
  return {
    tensors: [a, b],
    nodes: [
      { ...node, outputs: [`${prefix}/base`, ...others] },
      newNode(`${prefix}/down`, 'MatMul', [node.inputs[0]!, a.name], `${prefix}/down/out`),
      newNode(`${prefix}/up`, 'MatMul', [`${prefix}/down/out`, b.name], `${prefix}/up/out`),
      newNode(`${prefix}/add`, 'Add', [`${prefix}/base`, `${prefix}/up/out`], output),
    ],
  };
}

function newNode(name: string, opType: string, inputs: string[], output: string): OnnxNode {
  return { name, opType, domain: '', inputs, outputs: [output], rest: [] };
}

function transpose(values: Float32Array, rows: number, columns: number): Float32Array {
  const transposed = new Float32Array(values.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) transposed[column * rows + row] = values[row * columns + column]!;
  }
  return transposed;
}
