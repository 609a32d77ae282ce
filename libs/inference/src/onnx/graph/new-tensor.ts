import { toHalves } from './half-float.js';
import { ElementType, type OnnxTensor } from './onnx-model.js';
import { readBytes, readFields, readText, type WireField } from './protobuf-reader.js';
import { bytesField, joinPieces, textField, varintField } from './protobuf-writer.js';

const EXTERNAL_DATA = 13;

/** A tensor that holds `values` (row-major, as many as `dims` say) in the file itself, as float32 or float16. */
export function newTensor(name: string, dims: number[], elementType: number, values: Float32Array): OnnxTensor {
  const size = dims.reduce((product, dim) => product * dim, 1);
  if (size !== values.length) throw new RangeError(`${name}: ${values.length} values for the shape [${dims.join(', ')}]`);
  return newRawTensor(name, dims, elementType, encodeFloats(values, elementType));
}

/** A tensor of any type whose data, in ONNX's byte order, stands in the file. */
export function newRawTensor(name: string, dims: number[], elementType: number, data: Uint8Array): OnnxTensor {
  const bytes = joinPieces([...tensorHead(name, dims, elementType), ...bytesField(9, [data])]);
  return { name, dims, elementType, external: null, bytes };
}

/** A tensor whose data is `length` bytes of the file `location` from `offset` on. */
export function newExternalTensor(
  name: string,
  dims: number[],
  elementType: number,
  external: { location: string; offset: number; length: number },
): OnnxTensor {
  const entries = Object.entries(external).flatMap(([key, value]) => externalEntry(key, String(value)));
  const bytes = joinPieces([...tensorHead(name, dims, elementType), ...entries, varintField(14, 1)]);
  return { name, dims, elementType, external, bytes };
}

/** An external tensor whose data is in another file, at the same place there. What else the tensor says is kept. */
export function withExternalLocation(tensor: OnnxTensor, location: string): OnnxTensor {
  if (tensor.external === null) throw new TypeError(`${tensor.name} is not external`);
  const isLocation = (field: WireField) =>
    field.number === EXTERNAL_DATA &&
    [...readFields(readBytes(field))].some((inner) => inner.number === 1 && readText(inner) === 'location');
  const kept = [...readFields(tensor.bytes)].filter((field) => !isLocation(field)).map(({ raw }) => raw);
  return {
    ...tensor,
    external: { ...tensor.external, location },
    bytes: joinPieces([...kept, ...externalEntry('location', location)]),
  };
}

/** ONNX raw data is little-endian, as is every platform that the runtime exists for. */
export function encodeFloats(values: Float32Array, elementType: number): Uint8Array {
  switch (elementType) {
    case ElementType.float32:
      return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    case ElementType.float16:
      return new Uint8Array(toHalves(values).buffer);
    default:
      throw new RangeError(`cannot write element type ${elementType}`);
  }
}

function externalEntry(key: string, value: string): Uint8Array[] {
  return bytesField(EXTERNAL_DATA, [textField(1, key), textField(2, value)]);
}

function tensorHead(name: string, dims: readonly number[], elementType: number): Uint8Array[] {
  return [...dims.map((dim) => varintField(1, dim)), varintField(2, elementType), textField(8, name)];
}
