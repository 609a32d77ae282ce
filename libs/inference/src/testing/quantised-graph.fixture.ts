import { newNode } from '../onnx/graph/attributes.js';
import { newRawTensor, newTensor } from '../onnx/graph/new-tensor.js';
import { ElementType, type OnnxModel, type OnnxNode, type OnnxTensor } from '../onnx/graph/onnx-model.js';
import { packBlocks, QUANTISATION_BLOCK } from './graphs/pack-blocks.js';

/** The values of a float32 initializer that stands in the file. */
export function tensorValues(tensor: OnnxTensor): Float32Array {
  const size = tensor.dims.reduce((product, dim) => product * dim, 1) * 4;
  // raw_data is the last field of the tensors in this repository's models.
  return new Float32Array(Uint8Array.from(tensor.bytes.subarray(tensor.bytes.length - size)).buffer);
}

/** The model with the weights of its projections in 4 bits, as quantising exporters write them (MatMulNBits, symmetric). */
export function quantiseProjections(model: OnnxModel): OnnxModel {
  const weights = new Map(model.initializers.map((tensor) => [tensor.name, tensor]));
  const replaced = new Set<string>();
  const tensors: OnnxTensor[] = [];
  const nodes = model.nodes.map((node): OnnxNode => {
    const weight = weights.get(node.inputs[1] ?? '');
    if (node.opType !== 'MatMul' || !node.name.includes('_proj') || weight === undefined) return node;
    const [inFeatures, outFeatures] = weight.dims as [number, number];
    const { packed, scales } = packBlocks(tensorValues(weight), [inFeatures, outFeatures]);
    const packedTensor = newRawTensor(
      `${weight.name}_q4`,
      [outFeatures, inFeatures / QUANTISATION_BLOCK, QUANTISATION_BLOCK / 2],
      ElementType.uint8,
      packed,
    );
    const scalesTensor = newTensor(`${weight.name}_scales`, [scales.length], 1, scales);
    replaced.add(weight.name);
    tensors.push(packedTensor, scalesTensor);
    const inputs = [node.inputs[0]!, packedTensor.name, scalesTensor.name];
    return newNode(node.name, 'com.microsoft.MatMulNBits', inputs, node.outputs, {
      K: inFeatures,
      N: outFeatures,
      bits: 4,
      block_size: QUANTISATION_BLOCK,
    });
  });
  return { ...model, nodes, initializers: [...model.initializers.filter(({ name }) => !replaced.has(name)), ...tensors] };
}
