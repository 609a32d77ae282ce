import ort from 'onnxruntime-node';
import { afterEach, describe, expect, it } from 'vitest';
import { massError } from '../../sampling/sample-candidates.js';
import { buildDecoderGraph } from '../../testing/graphs/decoder-graph.js';
import { newNode } from './attributes.js';
import { newValue } from './new-value.js';
import { ElementType, encodeOnnx, type OnnxModel } from './onnx-model.js';
import { opset } from './opset.js';
import { bytesField, joinPieces, textField, varintField } from './protobuf-writer.js';
import { addSamplingHead, SAMPLING_HEAD, SAMPLING_HEAD_OPSET } from './sampling-head.js';

let session: ort.InferenceSession | undefined;
afterEach(async () => session?.release());

/** A graph whose logits are what it is fed, so that any can be tried. */
const echo = (version: number): OnnxModel => ({
  ...buildDecoderGraph(),
  header: [varintField(1, 8), joinPieces(bytesField(8, [textField(1, ''), varintField(2, version)]))],
  nodes: [newNode('echo', 'Identity', ['x'], ['logits'])],
  initializers: [],
  inputs: [newValue('x', ElementType.float32, ['batch_size', 'positions', 'vocabulary'])],
  outputs: [newValue('logits', ElementType.float32, ['batch_size', 'positions', 'vocabulary'])],
});

/** @param rows positions of each row. */
async function run(rows: number[][][], temperatures: number[], count: number, version = 17) {
  session = await ort.InferenceSession.create(encodeOnnx(addSamplingHead(echo(version), 'logits', count)));
  const x = new ort.Tensor('float32', rows.flat(2), [rows.length, rows[0]!.length, rows[0]![0]!.length]);
  const temperature = new ort.Tensor('float64', Float64Array.from(temperatures), [rows.length, 1, 1]);
  const outputs = await session.run({ x, [SAMPLING_HEAD.temperature]: temperature });
  const split = (name: string, size: number) => {
    const data = [...(outputs[name]!.data as Float32Array | BigInt64Array)].map(Number);
    return rows.map((_, row) => data.slice(row * size, (row + 1) * size));
  };
  return {
    logits: split(SAMPLING_HEAD.logits, count),
    tokens: split(SAMPLING_HEAD.tokens, count),
    mass: split(SAMPLING_HEAD.mass, 1).flat(),
  };
}

describe('addSamplingHead', () => {
  it.each([SAMPLING_HEAD_OPSET, 17, 18, 21])(
    'gives the largest logits of the last position and the mass of all: opset %i',
    async (version) => {
      const rows = [
        [
          [9, 9, 9, 9, 9, 9],
          [1, 5, 3, 5, -2, 5],
        ],
        [
          [0, 0, 0, 0, 0, 0],
          [0.5, -1, 0.25, -8, 2, 1000],
        ],
      ];
      expect(opset(echo(version))).toBe(version);
      const head = await run(rows, [1, 0.5], 4, version);
      expect(head.tokens).toEqual([
        [1, 3, 5, 2],
        [5, 4, 0, 2],
      ]);
      expect(head.logits).toEqual([
        [5, 5, 5, 3],
        [1000, 2, 0.5, 0.25],
      ]);
      expect(head.mass[0]).toBeCloseTo(3 + Math.exp(-2) + Math.exp(-4) + Math.exp(-7), 14);
      expect(head.mass[1]).toBe(1);
    },
  );

  it('computes the mass as closely as the sampler relies on', async () => {
    const vocabulary = 32_000;
    const logits = Float32Array.from({ length: vocabulary }, (_, id) => ((id * 7919) % 1000) / 50 - 10);
    const maximum = logits.reduce((most, logit) => Math.max(most, logit));
    for (const temperature of [0.3, 1, 1.7]) {
      const { mass } = await run([[[...logits]]], [temperature], 256);
      const exact = logits.reduce((sum, logit) => sum + Math.exp((logit - maximum) / temperature), 0);
      expect(Math.abs(mass[0]! / exact - 1)).toBeLessThan(massError(vocabulary) / 2);
    }
  });

  it('shows that a row is no distribution', async () => {
    const rows = [
      [1, NaN, 2],
      [1, Infinity, 2],
      [-Infinity, -Infinity, -Infinity],
      [1, -Infinity, 1],
    ].map((row) => [row]);
    const { mass } = await run(rows, [1, 1, 1, 1], 1);
    expect(mass).toEqual([NaN, NaN, NaN, 2]);
  });

  it('fits a decoder in float16', async () => {
    session = await ort.InferenceSession.create(encodeOnnx(addSamplingHead(buildDecoderGraph({ type: 'float16' }), 'logits', 8)));
    expect(session.outputNames).toEqual(expect.arrayContaining(Object.values(SAMPLING_HEAD).slice(1)));
  });
});
