import { ElementType, type OnnxTensor } from './onnx-model.js';
import { bytesField, joinPieces, textField, varintField } from './protobuf-writer.js';
import { toHalf } from './half-float.js';

/** A tensor that holds `values` (row-major, as many as `dims` say) in the file itself, as float32 or float16. */
export function newTensor(name: string, dims: number[], elementType: number, values: Float32Array): OnnxTensor {
  const size = dims.reduce((product, dim) => product * dim, 1);
  if (size !== values.length) throw new RangeError(`${name}: ${values.length} values for the shape [${dims.join(', ')}]`);
  const bytes = joinPieces([
    ...dims.map((dim) => varintField(1, dim)),
    varintField(2, elementType),
    textField(8, name),
    ...bytesField(9, [encodeValues(values, elementType)]),
  ]);
  return { name, dims, elementType, external: null, bytes };
}

/** ONNX raw data is little-endian, as is every platform that the runtime exists for. */
function encodeValues(values: Float32Array, elementType: number): Uint8Array {
  switch (elementType) {
    case ElementType.float32:
      return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    case ElementType.float16:
      return new Uint8Array(Uint16Array.from(values, toHalf).buffer);
    default:
      throw new RangeError(`cannot write element type ${elementType}`);
  }
}
