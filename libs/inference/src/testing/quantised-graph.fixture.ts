import { type OnnxModel, type OnnxNode, type OnnxTensor } from '../onnx/graph/onnx-model.js';
import { newTensor } from '../onnx/graph/new-tensor.js';
import { bytesField, joinPieces, textField, varintField } from '../onnx/graph/protobuf-writer.js';

const BLOCK = 32;

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
    const { packed, scales } = quantise(tensorValues(weight), inFeatures, outFeatures);
    const packedTensor = bytesTensor(`${weight.name}_q4`, [outFeatures, inFeatures / BLOCK, BLOCK / 2], packed);
    const scalesTensor = newTensor(`${weight.name}_scales`, [scales.length], 1, scales);
    replaced.add(weight.name);
    tensors.push(packedTensor, scalesTensor);
    return {
      ...node,
      opType: 'MatMulNBits',
      domain: 'com.microsoft',
      inputs: [node.inputs[0]!, packedTensor.name, scalesTensor.name],
      rest: [
        integerAttribute('K', inFeatures),
        integerAttribute('N', outFeatures),
        integerAttribute('bits', 4),
        integerAttribute('block_size', BLOCK),
      ],
    };
  });
  return { ...model, nodes, initializers: [...model.initializers.filter(({ name }) => !replaced.has(name)), ...tensors] };
}

/** Per block of 32 inputs of one output: scale = largest magnitude / 7, values -7..7 stored with an offset of 8. */
function quantise(values: Float32Array, inFeatures: number, outFeatures: number): { packed: Uint8Array; scales: Float32Array } {
  const blocks = inFeatures / BLOCK;
  const packed = new Uint8Array((outFeatures * inFeatures) / 2);
  const scales = new Float32Array(outFeatures * blocks);
  for (let output = 0; output < outFeatures; output++) {
    for (let block = 0; block < blocks; block++) {
      const column = Array.from({ length: BLOCK }, (_, index) => values[(block * BLOCK + index) * outFeatures + output]!);
      const scale = Math.max(...column.map(Math.abs)) / 7 || 1;
      scales[output * blocks + block] = scale;
      column.forEach((value, index) => {
        const nibble = Math.round(value / scale) + 8;
        packed[(output * blocks + block) * (BLOCK / 2) + (index >> 1)]! |= index % 2 === 0 ? nibble : nibble << 4;
      });
    }
  }
  return { packed, scales };
}

function bytesTensor(name: string, dims: number[], data: Uint8Array): OnnxTensor {
  const elementType = 2;
  const bytes = joinPieces([
    ...dims.map((dim) => varintField(1, dim)),
    varintField(2, elementType),
    textField(8, name),
    ...bytesField(9, [data]),
  ]);
  return { name, dims, elementType, external: null, bytes };
}

/** AttributeProto: name 1, i 3, type 20 (2 = INT), as field 5 of a node. */
function integerAttribute(name: string, value: number): Uint8Array {
  return joinPieces(bytesField(5, [textField(1, name), varintField(3, value), varintField(20, 2)]));
}
