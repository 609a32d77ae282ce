import { type DeviceCheck } from './device-check.js';

/** What a device was found to do, for a person. */
export function deviceCheckLines({ findings, limits, type, speed }: DeviceCheck): string[] {
  return [
    ...findings.map(({ what, holds, seen }) => `${holds ? 'yes' : 'NO '}  ${what}: ${seen}`),
    '',
    `the device reads ${(limits.bytesPerS / 1e9).toFixed(0)} GB/s and computes ${(limits.flopsPerS / 1e12).toFixed(2)} TFLOP/s in ${type}`,
    ...speed.map(
      ({ rows, context, tokensPerS, limitTokensPerS, bound }) =>
        `${rows} rows at ${context} tokens: ${Math.round(tokensPerS)} tokens/s, ` +
        `${((100 * tokensPerS) / limitTokensPerS).toFixed(1)}% of the limit of ${Math.round(limitTokensPerS)} by ${bound}`,
    ),
    '',
    'CUDA graphs are not used: the runtime records one over fixed addresses, and what is bound from the memory of the CPU gets a new one each time.',
  ];
}
