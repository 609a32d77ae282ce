import { newRawTensor } from '../onnx/graph/new-tensor.js';
import { newValue } from '../onnx/graph/new-value.js';
import { ElementType, encodeOnnx, type OnnxNode } from '../onnx/graph/onnx-model.js';
import { bytesField, joinPieces, textField, varintField } from '../onnx/graph/protobuf-writer.js';

const IR_VERSION = 8;
const OPSET = 17;

/**
 * A graph of one operator over float32, with an output `y`.
 * @param inputs shapes by name.
 * @param weights a further operand `w` of the output's shape, as a constant.
 */
export function encodeOperator(
  node: OnnxNode,
  inputs: Readonly<Record<string, readonly number[]>>,
  output: readonly number[],
  weights: Uint8Array | null = null,
): Uint8Array {
  return encodeOnnx({
    header: [varintField(1, IR_VERSION), joinPieces(bytesField(8, [textField(1, ''), varintField(2, OPSET)]))],
    nodes: [node],
    initializers: weights === null ? [] : [newRawTensor('w', [...output], ElementType.float32, weights)],
    inputs: Object.entries(inputs).map(([name, shape]) => newValue(name, ElementType.float32, shape)),
    outputs: [newValue('y', ElementType.float32, output)],
    rest: [],
  });
}
