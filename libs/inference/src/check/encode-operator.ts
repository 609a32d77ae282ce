import { newRawTensor } from '../onnx/graph/new-tensor.js';
import { newValue } from '../onnx/graph/new-value.js';
import { ElementType, encodeOnnx, type OnnxNode } from '../onnx/graph/onnx-model.js';
import { bytesField, joinPieces, textField, varintField } from '../onnx/graph/protobuf-writer.js';

const IR_VERSION = 8;
const OPSET = 17;

/**
 * A graph of one operator, with an output `y`.
 * @param inputs shapes by name.
 * @param weights a further operand `w` of the output's shape, as a constant.
 */
export function encodeOperator(
  node: OnnxNode,
  inputs: Readonly<Record<string, readonly number[]>>,
  output: readonly number[],
  weights: Uint8Array | null = null,
  type: 'float32' | 'float16' = 'float32',
): Uint8Array {
  const code = ElementType[type];
  return encodeOnnx({
    header: [varintField(1, IR_VERSION), joinPieces(bytesField(8, [textField(1, ''), varintField(2, OPSET)]))],
    nodes: [node],
    initializers: weights === null ? [] : [newRawTensor('w', [...output], code, weights)],
    inputs: Object.entries(inputs).map(([name, shape]) => newValue(name, code, shape)),
    outputs: [newValue('y', code, output)],
    rest: [],
  });
}
