/** Bits of the IEEE 754 binary16 nearest to `value` (ties to even; too large becomes infinity). */
export function toHalf(value: number): number {
  return halfOfSingle(new Uint32Array(Float32Array.of(value).buffer)[0]!);
}

/** {@link toHalf} of each value. */
export function toHalves(values: Float32Array): Uint16Array<ArrayBuffer> {
  return Uint16Array.from(new Uint32Array(values.buffer, values.byteOffset, values.length), halfOfSingle);
}

/** `bits` of a binary32. */
function halfOfSingle(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const exponent = (bits >>> 23) & 0xff;
  const mantissa = bits & 0x7f_ffff;
  if (exponent === 0xff) return sign | 0x7c00 | (mantissa === 0 ? 0 : 0x200);
  const halfExponent = exponent - 127 + 15;
  if (halfExponent >= 31) return sign | 0x7c00;
  if (halfExponent <= 0) {
    if (halfExponent < -10) return sign;
    return sign | roundToEven(mantissa | 0x80_0000, 14 - halfExponent);
  }
  // A mantissa that rounds up to 2^10 carries into the exponent, which is what it should do.
  return sign | ((halfExponent << 10) + roundToEven(mantissa, 13));
}

/** The number that binary16 `bits` stand for. */
export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 0x1f;
  const mantissa = bits & 0x3ff;
  if (exponent === 31) return mantissa === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}

/** {@link fromHalf} of each. */
export function fromHalves(bits: Uint16Array): Float32Array<ArrayBuffer> {
  // A table pays for itself at once: adapters and logits have millions of values, and there are only 65,536 of them.
  halves ??= Float32Array.from({ length: 0x10000 }, (_, half) => fromHalf(half));
  const values = new Float32Array(bits.length);
  for (let index = 0; index < bits.length; index++) values[index] = halves[bits[index]!]!;
  return values;
}
let halves: Float32Array | undefined;

/** The numbers whose bfloat16 `bits` are the upper halves of a float32. */
export function fromBfloat16s(bits: Uint16Array): Float32Array<ArrayBuffer> {
  const singles = new Uint32Array(bits.length);
  for (let index = 0; index < bits.length; index++) singles[index] = bits[index]! << 16;
  return new Float32Array(singles.buffer);
}

function roundToEven(value: number, shift: number): number {
  const quotient = value >>> shift;
  const remainder = value & ((1 << shift) - 1);
  const half = 1 << (shift - 1);
  return remainder > half || (remainder === half && quotient % 2 === 1) ? quotient + 1 : quotient;
}
