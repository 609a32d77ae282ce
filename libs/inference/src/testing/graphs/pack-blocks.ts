export const QUANTISATION_BLOCK = 32;

/**
 * Weights [in, out] in blocks, symmetric, as MatMulNBits reads them: per block of 32 inputs of one output, scale = largest magnitude
 * / 7 (of 4 bits; / 127 of 8), values stored with an offset of 8 (128); of 4 bits two to a byte, the first in the low half.
 */
export function packBlocks(
  values: Float32Array,
  [inFeatures, outFeatures]: readonly [number, number],
  bits: 4 | 8 = 4,
): { packed: Uint8Array; scales: Float32Array } {
  const blocks = inFeatures / QUANTISATION_BLOCK;
  const packed = new Uint8Array((outFeatures * inFeatures * bits) / 8);
  const scales = new Float32Array(outFeatures * blocks);
  const column = new Float32Array(QUANTISATION_BLOCK);
  const offset = 2 ** (bits - 1);
  for (let output = 0; output < outFeatures; output++) {
    for (let block = 0; block < blocks; block++) {
      let largest = 0;
      for (let index = 0; index < QUANTISATION_BLOCK; index++) {
        column[index] = values[(block * QUANTISATION_BLOCK + index) * outFeatures + output]!;
        largest = Math.max(largest, Math.abs(column[index]!));
      }
      const scale = largest / (offset - 1) || 1;
      scales[output * blocks + block] = scale;
      for (let index = 0; index < QUANTISATION_BLOCK; index++) {
        const element = (output * blocks + block) * QUANTISATION_BLOCK + index;
        const code = Math.round(column[index]! / scale) + offset;
        if (bits === 8) packed[element] = code;
        else packed[element >> 1]! |= index % 2 === 0 ? code : code << 4;
      }
    }
  }
  return { packed, scales };
}
