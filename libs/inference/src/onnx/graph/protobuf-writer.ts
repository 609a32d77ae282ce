import { WireType } from './protobuf-reader.js';

const encoder = new TextEncoder();

/** A protobuf message as pieces, joined once at the end: weights are megabytes, and are copied only there. */
export type Pieces = Uint8Array[];

export function varintField(number: number, value: number): Uint8Array {
  return Uint8Array.from([...varint(number * 8 + WireType.varint), ...varint(value)]);
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
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`cannot write ${value} as an unsigned number`);
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low | 0x80 : low);
  } while (rest > 0);
  return bytes;
}
