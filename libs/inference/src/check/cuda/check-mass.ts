import { newNode } from '../../onnx/graph/attributes.js';
import { encodeOnnx, parseOnnx } from '../../onnx/graph/onnx-model.js';
import { addSamplingHead, SAMPLING_HEAD } from '../../onnx/graph/sampling-head.js';
import { openOrtSession } from '../../ort/open-ort-session.js';
import { type OrtSessionOptions } from '../../ort/ort-session.js';
import { massError } from '../../sampling/sample-candidates.js';
import { encodeOperator } from '../encode-operator.js';
import { type Finding } from './device-check.js';

const VOCABULARY = 32_000;
const TEMPERATURE = 0.7;

/** That a head's mass is as close as sampling relies on, and shows that a row is no distribution, which could hide behind a few candidates. */
export async function checkMass(options: OrtSessionOptions): Promise<Finding> {
  const good = Float32Array.from({ length: VOCABULARY }, (_, token) => ((token * 7919) % 1000) / 50 - 10);
  const broken = [NaN, Infinity].map((wrong) => good.map((logit, token) => (token === 31_000 ? wrong : logit)));
  broken.push(good.map(() => -Infinity));
  const rows = [good, ...broken];
  const shape = [rows.length, 1, VOCABULARY];
  const echo = parseOnnx(encodeOperator(newNode('echo', 'Identity', ['x'], ['y']), { x: shape }, shape));
  const session = await openOrtSession(encodeOnnx(addSamplingHead(echo, 'y', 4)), options);
  try {
    const x = session.newTensor('float32', shape);
    rows.forEach((row, index) => x.data.set(row, index * VOCABULARY));
    const temperature = session.newTensor('float64', [rows.length, 1, 1], new Float64Array(rows.length).fill(TEMPERATURE));
    const mass = session.newTensor('float64', [rows.length, 1, 1]);
    await session.run({ x, [SAMPLING_HEAD.temperature]: temperature }, { [SAMPLING_HEAD.mass]: mass });
    const largest = good.reduce((most, logit) => Math.max(most, logit));
    const exact = good.reduce((sum, logit) => sum + Math.exp((logit - largest) / TEMPERATURE), 0);
    const off = Math.abs(mass.data[0]! / exact - 1) / massError(VOCABULARY);
    const seen = mass.data.subarray(1).filter(Number.isNaN).length;
    return {
      what: 'the mass of all logits is as close as sampling relies on, and tells rows that are no distribution',
      holds: off < 1 && seen === broken.length,
      seen: `off by ${off.toFixed(3)} of what is allowed; ${seen} of ${broken.length} such rows are seen`,
    };
  } finally {
    await session.close();
  }
}
