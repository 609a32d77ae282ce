/** The arrays that hold the elements of a tensor. Halves are their bits; a truth value is a byte, 0 or 1. */
export interface OrtArrays {
  float32: Float32Array;
  float64: Float64Array;
  float16: Uint16Array;
  int8: Int8Array;
  uint8: Uint8Array;
  int16: Int16Array;
  uint16: Uint16Array;
  int32: Int32Array;
  uint32: Uint32Array;
  int64: BigInt64Array;
  uint64: BigUint64Array;
  bool: Uint8Array;
}

export type OrtElement = keyof OrtArrays;
export type OrtArray = OrtArrays[OrtElement];

interface ElementKind {
  /** The number of the type in ONNX and in the C API (ONNXTensorElementDataType). */
  code: number;
  array: new (buffer: ArrayBuffer, byteOffset: number, length: number) => OrtArray;
  bytes: number;
}

export const ELEMENTS: Readonly<Record<OrtElement, ElementKind>> = {
  float32: { code: 1, array: Float32Array, bytes: 4 },
  uint8: { code: 2, array: Uint8Array, bytes: 1 },
  int8: { code: 3, array: Int8Array, bytes: 1 },
  uint16: { code: 4, array: Uint16Array, bytes: 2 },
  int16: { code: 5, array: Int16Array, bytes: 2 },
  int32: { code: 6, array: Int32Array, bytes: 4 },
  int64: { code: 7, array: BigInt64Array, bytes: 8 },
  bool: { code: 9, array: Uint8Array, bytes: 1 },
  float16: { code: 10, array: Uint16Array, bytes: 2 },
  float64: { code: 11, array: Float64Array, bytes: 8 },
  uint32: { code: 12, array: Uint32Array, bytes: 4 },
  uint64: { code: 13, array: BigUint64Array, bytes: 8 },
};

const BY_CODE = new Map(Object.entries(ELEMENTS).map(([name, { code }]) => [code, name as OrtElement]));

/** null: text, bfloat16 and others that no array here holds. */
export function elementOfCode(code: number): OrtElement | null {
  return BY_CODE.get(code) ?? null;
}

/** Elements in a tensor of this shape; 1 for a scalar, 0 when a dimension is 0. @throws RangeError */
export function elementCount(shape: readonly number[]): number {
  if (!shape.every((size) => Number.isSafeInteger(size) && size >= 0)) {
    throw new RangeError(`[${shape.join(', ')}] is not the shape of a tensor`);
  }
  return shape.reduce((product, size) => product * size, 1);
}
