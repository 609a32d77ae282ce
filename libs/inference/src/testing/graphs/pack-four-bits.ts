export const QUANTISATION_BLOCK = 32;

/**
 * Weights [in, out] in 4 bits, symmetric, as MatMulNBits reads them: per block of 32 inputs of one output, scale = largest
 * magnitude / 7, values -7..7 stored with an offset of 8, two to a byte, the first in the low half.
 */
export function packFourBits(values: Float32Array, inFeatures: number, outFeatures: number): { packed: Uint8Array; scales: Float32Array } {
  const blocks = inFeatures / QUANTISATION_BLOCK;
  const packed = new Uint8Array((outFeatures * inFeatures) / 2);
  const scales = new Float32Array(outFeatures * blocks);
  const column = new Float32Array(QUANTISATION_BLOCK);
  for (let output = 0; output < outFeatures; output++) {
    for (let block = 0; block < blocks; block++) {
      let largest = 0;
      for (let index = 0; index < QUANTISATION_BLOCK; index++) {
        column[index] = values[(block * QUANTISATION_BLOCK + index) * outFeatures + output]!;
        largest = Math.max(largest, Math.abs(column[index]!));
      }
      const scale = largest / 7 || 1;
      scales[output * blocks + block] = scale;
      for (let index = 0; index < QUANTISATION_BLOCK; index++) {
        const nibble = Math.round(column[index]! / scale) + 8;
        packed[(output * blocks + block) * (QUANTISATION_BLOCK / 2) + (index >> 1)]! |= index % 2 === 0 ? nibble : nibble << 4;
      }
    }
  }
  return { packed, scales };
}
