import { describe, expect, it } from 'vitest';
import { deviceCheckLines } from './device-check-lines.js';

describe('deviceCheckLines', () => {
  it('shows what holds, what does not, and shares of the limit', () => {
    const lines = deviceCheckLines({
      findings: [
        { what: 'one thing', holds: true, seen: '24 of 24' },
        { what: 'another', holds: false, seen: '3 of 24' },
      ],
      type: 'float16',
      limits: { bytesPerS: 4.1e12, flopsPerS: 6.02e13 },
      speed: [{ rows: 32, context: 256, tokensPerS: 9000, limitTokensPerS: 12_000, bound: 'bandwidth' }],
    });
    expect(lines.slice(0, -2)).toEqual([
      'yes  one thing: 24 of 24',
      'NO   another: 3 of 24',
      '',
      'the device reads 4100 GB/s and computes 60.20 TFLOP/s in float16',
      '32 rows at 256 tokens: 9000 tokens/s, 75.0% of the limit of 12000 by bandwidth',
    ]);
    expect(lines.at(-1)).toContain('CUDA graphs are not used');
  });
});
