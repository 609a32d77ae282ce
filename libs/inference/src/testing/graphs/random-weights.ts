const FNV_PRIME = 0x01000193;
const FNV_BASIS = 0x811c9dc5;

/** `size` numbers of mean 0 and the given standard deviation, evenly spread; the same for the same seed and name. */
export function randomWeights(seed: number, name: string, size: number, deviation: number): Float32Array {
  let state = FNV_BASIS;
  for (const char of `${seed}/${name}`) state = Math.imul(state ^ char.charCodeAt(0), FNV_PRIME) >>> 0;
  state ||= 1;
  const values = new Float32Array(size);
  const scale = (2 * Math.sqrt(3) * deviation) / 2 ** 32;
  for (let index = 0; index < size; index++) {
    // xorshift32 (Marsaglia 2003).
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    values[index] = (state | 0) * scale;
  }
  return values;
}
