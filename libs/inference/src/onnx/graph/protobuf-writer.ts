import { WireType } from './protobuf-reader.js';

const encoder = new TextEncoder();

/** A protobuf message as pieces, joined once at the end: weights are megabytes, and are copied only there. */
export type Pieces = Uint8Array[];

/** A whole number; a negative one in the form of an int64. */
export function varintField(number: number, value: number): Uint8Array {
  return Uint8Array.from([...varint(number * 8 + WireType.varint), ...varint(value)]);
}

export function fixed32Field(number: number, value: number): Uint8Array {
  return joinPieces([Uint8Array.from(varint(number * 8 + WireType.fixed32)), new Uint8Array(Float32Array.of(value).buffer)]);
}

export function textField(number: number, text: string): Uint8Array {
  return joinPieces(bytesField(number, [encoder.encode(text)]));
}

/** A length-delimited field with the pieces as its content. */
export function bytesField(number: number, content: Pieces): Pieces {
  return [Uint8Array.from([...varint(number * 8 + WireType.bytes), ...varint(byteLength(content))]), ...content];
}

export function byteLength(pieces: Pieces): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

export function joinPieces(pieces: Pieces): Uint8Array {
  const joined = new Uint8Array(byteLength(pieces));
  let position = 0;
  for (const piece of pieces) {
    joined.set(piece, position);
    position += piece.length;
  }
  return joined;
}

function varint(value: number): number[] {
  if (!Number.isSafeInteger(value)) throw new RangeError(`cannot write ${value} as a whole number`);
  const bytes: number[] = [];
  // Most numbers are small counts; only a negative one needs all 64 bits.
  let rest = value < 0 ? BigInt.asUintN(64, BigInt(value)) : value;
  if (typeof rest === 'bigint') {
    for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    return [...bytes, Number(rest)];
  }
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return [...bytes, rest];
}
