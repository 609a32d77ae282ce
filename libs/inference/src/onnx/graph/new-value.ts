import { type OnnxValue } from './onnx-model.js';
import { bytesField, joinPieces, textField, varintField } from './protobuf-writer.js';

/** A graph input or output that is a tensor. A dimension given by name is free; equal names claim equal sizes. */
export function newValue(name: string, elementType: number, dims: readonly (number | string)[]): OnnxValue {
  const shape = dims.flatMap((dim) => bytesField(1, [typeof dim === 'number' ? varintField(1, dim) : textField(2, dim)]));
  const type = bytesField(2, bytesField(1, [varintField(1, elementType), ...bytesField(2, shape)]));
  return {
    name,
    elementType,
    dims: dims.map((dim) => (typeof dim === 'number' ? dim : null)),
    bytes: joinPieces([textField(1, name), ...type]),
  };
}
