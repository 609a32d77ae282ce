import { MID_SHAPE } from '@kiln/inference/testing';
import { describe, expect, it } from 'vitest';
import { decodeLimit } from './decode-limit.js';
import { type Measured } from './measure-model.js';
import { reportText } from './report.js';
import { summarise, type SummaryParts } from './summary.js';
import { FULL_SIZES } from './workload.js';

const ORDINARY = { bytesPerS: 21e9, flopsPerS: 97e9 };
/** Half as much again through huge pages. */
const LIMITS = { ordinary: ORDINARY, huge: { bytesPerS: 31.5e9, flopsPerS: 97e9 } };
const STEP_CONTEXT = 256 + 65 / 2;

function measured(contender: string, rows: number | null, cpu: number[], wall = cpu): Measured {
  return { contender, rows, runs: cpu.map((cpuS, index) => ({ cpuS, wallS: wall[index]! })), answers: 48, equalAnswers: 48 };
}

/** Kiln at 4 CPU-s; transformers.js at 40 and, batched, 30. Decoding at twice the limit, and at 1.25 times. */
function parts(): SummaryParts {
  const limitOf = (rows: number) => decodeLimit(MID_SHAPE, rows, STEP_CONTEXT, ORDINARY).seconds;
  const endToEnd = [
    measured('Kiln', null, [3, 4, 9], [5, 5, 5]),
    measured('transformers.js', 1, [40, 40, 40]),
    measured('transformers.js', 8, [29, 30, 50], [45, 45, 45]),
  ];
  const decode = [measured('Kiln', 1, [2 * limitOf(1)]), measured('Kiln', 32, [1.25 * limitOf(32)]), measured('transformers.js', 1, [1])];
  const platform = { examples: 12, completions: 4, answerTokens: 64, job: [{ cpuS: 11, wallS: 21 }], engine: [{ cpuS: 10, wallS: 20 }] };
  return {
    models: [{ model: 'generated', answerTokens: 1_088, endToEnd, decode }],
    shape: MID_SHAPE,
    sizes: FULL_SIZES,
    limits: LIMITS,
    platform,
  };
}

describe('summarise', () => {
  it('compares medians, with the faster batch of the other', () => {
    expect(summarise(parts()).overTransformersJs).toEqual({ generated: { cpu: 7.5, wall: 9, rows: 8 } });
  });

  it('puts decoding of Kiln alone beside the limit, at the mean context of the steps', () => {
    const { decode } = summarise(parts());
    expect(decode.map(({ rows, bound }) => [rows, bound])).toEqual([
      [1, 'bandwidth'],
      [32, 'compute'],
    ]);
    expect(decode[0]!.share).toBeCloseTo(0.5, 9);
    expect(decode[1]!.share).toBeCloseTo(0.8, 9);
    expect(decode[0]!.shareOfHuge).toBeCloseTo(1 / 3, 9);
    expect(decode[1]!.shareOfHuge).toBeCloseTo(0.8, 9);
  });

  it('divides a job by the bare engine, where both were measured', () => {
    expect(summarise(parts()).platformOverhead).toEqual({ cpu: 1.1, wall: 1.05 });
    expect(summarise({ ...parts(), platform: null }).platformOverhead).toBeNull();
  });

  it('has a limit from end to end: 872 prompt tokens, and 21.67 steps of 48 rows', () => {
    // By hand: 2 × (75,497,472 × 872 + 24,576,000 × 13) + 4 × 768 × 12 × (20,100 + 12 × 12,796) = 138.70 GFLOP;
    // a step at 266.8 tokens: 2 × 100,073,472 × 48 + 4 × 768 × 12 × 266.8 × 48 = 10.08 GFLOP. Together 357.1 GFLOP.
    expect(summarise(parts()).endToEndShare * 4).toBeCloseTo(357.1 / 97, 1);
  });
});

describe('reportText', () => {
  it('prints each figure beside its aim', () => {
    const given = parts();
    const text = reportText({
      ...given,
      models: [...given.models],
      environment: { Node: '20' },
      notices: ['PyTorch is not measured: why'],
      summary: summarise(given),
    });
    expect(text).toContain('engine / transformers.js: 7.5 x end to end in CPU time, at its batch 8; wall 9.0 x (aim: at least 6 x)');
    expect(text).toContain(
      'decoding at batch 1: 50.0 % of the limit with ordinary pages, which is bandwidth (aim: at least 90 %); 33.3 % with huge ones',
    );
    expect(text).toContain(
      'decoding at batch 32: 80.0 % of the limit with ordinary pages, which is compute (aim: at least 75 %); 80.0 % with huge ones',
    );
    expect(text).toContain('platform overhead: 1.100 in CPU time, 1.050 wall (aim: at most 1.10)');
    expect(text).toContain('PyTorch is not measured: why');
  });
});
