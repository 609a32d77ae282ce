import { fromBfloat16s, fromHalves } from '../graph/half-float.js';

/** The file is not a safetensors file, or not one that can be read here. */
export class SafetensorsError extends Error {
  override readonly name = 'SafetensorsError';
}

export interface SafeTensor {
  shape: number[];
  /** Row-major. */
  values: Float32Array;
}

const MAX_HEADER_BYTES = 100 * 2 ** 20;
const ELEMENT_BYTES: Readonly<Record<string, number>> = { F32: 4, F16: 2, BF16: 2 };

/**
 * Reads a safetensors file: u64 little-endian header length, JSON header, data. F32, F16 and BF16 become float32.
 * @throws SafetensorsError naming the tensor.
 */
export function readSafetensors(file: Uint8Array): Map<string, SafeTensor> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 8) throw new SafetensorsError('the file is shorter than its own header length');
  const headerBytes = Number(view.getBigUint64(0, true));
  if (headerBytes > MAX_HEADER_BYTES || 8 + headerBytes > file.length) throw new SafetensorsError(`the header claims ${headerBytes} bytes`);
  const data = file.subarray(8 + headerBytes);
  const tensors = new Map<string, SafeTensor>();
  for (const [name, entry] of Object.entries(parseHeader(file.subarray(8, 8 + headerBytes)))) {
    if (name !== '__metadata__') tensors.set(name, readTensor(name, entry, data));
  }
  return tensors;
}

function parseHeader(header: Uint8Array): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(header).toString());
  } catch (cause) {
    throw new SafetensorsError('the header is not JSON', { cause });
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new SafetensorsError('the header is not an object');
  return parsed as Record<string, unknown>;
}

function readTensor(name: string, entry: unknown, data: Uint8Array): SafeTensor {
  const { dtype, shape, data_offsets: offsets } = (entry ?? {}) as Record<string, unknown>;
  const size = typeof dtype === 'string' ? ELEMENT_BYTES[dtype] : undefined;
  if (size === undefined) throw new SafetensorsError(`tensor ${name} has the type ${String(dtype)}; F32, F16 and BF16 can be read`);
  if (!isSizes(shape) || !isSizes(offsets) || offsets.length !== 2)
    throw new SafetensorsError(`tensor ${name} has a malformed shape or place`);
  const [start, end] = offsets as [number, number];
  const elements = shape.reduce((product, dim) => product * dim, 1);
  if (end > data.length || end - start !== elements * size) throw new SafetensorsError(`tensor ${name} does not lie inside the file`);
  return { shape, values: decode(data.subarray(start, end), dtype as string) };
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && (size as number) >= 0);
}

/** Copies first: the data need not be aligned in the file. */
function decode(bytes: Uint8Array, dtype: string): Float32Array {
  const { buffer } = Uint8Array.from(bytes);
  if (dtype === 'F32') return new Float32Array(buffer);
  const bits = new Uint16Array(buffer);
  return dtype === 'F16' ? fromHalves(bits) : fromBfloat16s(bits);
}
