import ort from 'onnxruntime-node';
import { afterEach, describe, expect, it } from 'vitest';
import { buildDecoderGraph } from '../../testing/graphs/decoder-graph.js';
import { newNode } from './attributes.js';
import { newValue } from './new-value.js';
import { ElementType, encodeOnnx, type OnnxModel } from './onnx-model.js';
import { addSamplingHead, SAMPLING_HEAD } from './sampling-head.js';

let session: ort.InferenceSession | undefined;
afterEach(async () => session?.release());

/** A graph whose logits are what it is fed, so that any can be tried. */
const ECHO: OnnxModel = {
  ...buildDecoderGraph(),
  nodes: [newNode('echo', 'Identity', ['x'], ['logits'])],
  initializers: [],
  inputs: [newValue('x', ElementType.float32, ['batch_size', 1, 'vocabulary'])],
  outputs: [newValue('logits', ElementType.float32, ['batch_size', 1, 'vocabulary'])],
};

async function run(rows: number[][], temperatures: number[], count: number) {
  session = await ort.InferenceSession.create(encodeOnnx(addSamplingHead(ECHO, 'logits', count)));
  const x = new ort.Tensor('float32', rows.flat(), [rows.length, 1, rows[0]!.length]);
  const outputs = await session.run({ x, [SAMPLING_HEAD.temperature]: new ort.Tensor('float32', temperatures, [rows.length, 1, 1]) });
  const split = (name: string, size: number) => {
    const data = [...(outputs[name]!.data as Float32Array | BigInt64Array)].map(Number);
    return rows.map((_, row) => data.slice(row * size, (row + 1) * size));
  };
  return {
    logits: split(SAMPLING_HEAD.logits, count),
    tokens: split(SAMPLING_HEAD.tokens, count),
    logSumExp: split(SAMPLING_HEAD.logSumExp, 1).flat(),
    all: split('logits', rows[0]!.length),
  };
}

describe('addSamplingHead', () => {
  it('gives the largest logits, equal ones by token, and the mass of all', async () => {
    const rows = [
      [1, 5, 3, 5, -2, 5],
      [0.5, -1, 0.25, -8, 2, 1000],
    ];
    const head = await run(rows, [1, 0.5], 4);
    expect(head.tokens).toEqual([
      [1, 3, 5, 2],
      [5, 4, 0, 2],
    ]);
    expect(head.logits).toEqual([
      [5, 5, 5, 3],
      [1000, 2, 0.5, 0.25],
    ]);
    expect(head.all).toEqual(rows);
    // ln(e^1 + 3 e^5 + e^3 + e^-2); the other row's largest logit is all of its mass.
    expect(head.logSumExp[0]).toBeCloseTo(Math.log(Math.exp(1) + 3 * Math.exp(5) + Math.exp(3) + Math.exp(-2)), 5);
    expect(head.logSumExp[1]).toBeCloseTo(2000, 3);
  });

  it('shows that a logit is not a number', async () => {
    const { logSumExp } = await run(
      [
        [1, NaN, 2],
        [1, 2, 3],
      ],
      [1, 1],
      1,
    );
    expect(logSumExp[0]).toBeNaN();
    expect(logSumExp[1]).toBeCloseTo(3.4076, 3);
  });

  it('fits a decoder in float16', async () => {
    session = await ort.InferenceSession.create(encodeOnnx(addSamplingHead(buildDecoderGraph({ type: 'float16' }), 'logits', 8)));
    expect(session.outputNames).toEqual(expect.arrayContaining(Object.values(SAMPLING_HEAD).slice(1)));
  });
});
