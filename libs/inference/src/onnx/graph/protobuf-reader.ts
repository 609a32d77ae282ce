/** The file is not what it claims to be: truncated, out of bounds, or of a form that is not supported. */
export class OnnxFormatError extends Error {
  override readonly name = 'OnnxFormatError';
}

/** One field of a protobuf message, undecoded. */
export interface WireField {
  readonly number: number;
  readonly wireType: WireType;
  /** Tag and value as they stand in the file, for writing the field again unchanged. */
  readonly raw: Uint8Array;
  /** The value's bytes: of a varint its encoding, of a length-delimited field its content. */
  readonly value: Uint8Array;
}

export const WireType = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;
export type WireType = (typeof WireType)[keyof typeof WireType];

const MAX_VARINT_BYTES = 10;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Splits a protobuf message into its fields. Values are views into `message`. @throws OnnxFormatError */
export function* readFields(message: Uint8Array): Generator<WireField> {
  let position = 0;
  while (position < message.length) {
    const start = position;
    const tagEnd = varintEnd(message, position);
    const tag = varintToNumber(message.subarray(position, tagEnd));
    const number = Math.floor(tag / 8);
    if (number === 0) throw new OnnxFormatError(`field number 0 at byte ${start}`);
    const wireType = (tag & 7) as WireType;
    let valueStart = tagEnd;
    let end: number;
    switch (wireType) {
      case WireType.varint:
        end = varintEnd(message, tagEnd);
        break;
      case WireType.fixed64:
        end = tagEnd + 8;
        break;
      case WireType.fixed32:
        end = tagEnd + 4;
        break;
      case WireType.bytes: {
        valueStart = varintEnd(message, tagEnd);
        end = valueStart + varintToNumber(message.subarray(tagEnd, valueStart));
        break;
      }
      default:
        throw new OnnxFormatError(`wire type ${tag & 7} of field ${number} at byte ${start} is not used by ONNX`);
    }
    if (end > message.length)
      throw new OnnxFormatError(`field ${number} at byte ${start} ends ${end - message.length} bytes after the end`);
    yield { number, wireType, raw: message.subarray(start, end), value: message.subarray(valueStart, end) };
    position = end;
  }
}

/** @throws OnnxFormatError when the field is no varint, or is negative or above 2^53 - 1. */
export function readUnsigned(field: WireField): number {
  if (field.wireType !== WireType.varint) throw new OnnxFormatError(`field ${field.number} is not a number`);
  return varintToNumber(field.value);
}

/** An int64 field. @throws OnnxFormatError when it is no varint, or beyond ±(2^53 - 1). */
export function readSigned(field: WireField): number {
  if (field.wireType !== WireType.varint) throw new OnnxFormatError(`field ${field.number} is not a number`);
  return varintToSigned(field.value);
}

/** A repeated count field: one value, or several when packed. */
export function readUnsignedList(field: WireField): number[] {
  return readNumbers(field, varintToNumber);
}

/** A repeated int64 field: one value, or several when packed. */
export function readSignedList(field: WireField): number[] {
  return readNumbers(field, varintToSigned);
}

function readNumbers(field: WireField, decode: (encoding: Uint8Array) => number): number[] {
  if (field.wireType === WireType.varint) return [decode(field.value)];
  const packed = readBytes(field);
  const values: number[] = [];
  for (let position = 0; position < packed.length;) {
    const end = varintEnd(packed, position);
    values.push(decode(packed.subarray(position, end)));
    position = end;
  }
  return values;
}

export function readBytes(field: WireField): Uint8Array {
  if (field.wireType !== WireType.bytes) throw new OnnxFormatError(`field ${field.number} is not length-delimited`);
  return field.value;
}

export function readText(field: WireField): string {
  try {
    return decoder.decode(readBytes(field));
  } catch (cause) {
    if (cause instanceof OnnxFormatError) throw cause;
    throw new OnnxFormatError(`field ${field.number} is not UTF-8`, { cause });
  }
}

function varintEnd(message: Uint8Array, start: number): number {
  for (let position = start; position < start + MAX_VARINT_BYTES; position++) {
    const byte = message[position];
    if (byte === undefined) throw new OnnxFormatError(`the file ends inside a number at byte ${start}`);
    if (byte < 0x80) return position + 1;
  }
  throw new OnnxFormatError(`number longer than ${MAX_VARINT_BYTES} bytes at byte ${start}`);
}

function varintToNumber(encoding: Uint8Array): number {
  let value = 0;
  let scale = 1;
  for (const byte of encoding) {
    value += (byte & 0x7f) * scale;
    scale *= 128;
  }
  if (!Number.isSafeInteger(value)) throw new OnnxFormatError('a count or offset is negative or above 2^53');
  return value;
}

/** Negative numbers are written as their 64-bit two's complement. */
function varintToSigned(encoding: Uint8Array): number {
  let value = 0n;
  encoding.forEach((byte, index) => (value |= BigInt(byte & 0x7f) << BigInt(7 * index)));
  const signed = Number(BigInt.asIntN(64, value));
  if (!Number.isSafeInteger(signed)) throw new OnnxFormatError('an integer is beyond 2^53');
  return signed;
}
