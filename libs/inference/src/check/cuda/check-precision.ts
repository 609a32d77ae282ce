import { newNode } from '../../onnx/graph/attributes.js';
import { type OrtSession } from '../../ort/ort-session.js';
import { encodeOperator } from '../encode-operator.js';
import { type Finding } from './device-check.js';

/** Large enough for the kernels that large models use. */
const PRECISION_SIZE = 256;

export const precisionGraph = (): Uint8Array => {
  const shape = [PRECISION_SIZE, PRECISION_SIZE];
  return encodeOperator(newNode('MatMul', 'MatMul', ['x', 'w'], ['y']), { x: shape, w: shape }, shape);
};

/** Numbers with more bits than TF32 keeps (10 of the mantissa), multiplied with 1: they must come back as they were. */
export async function checkPrecision(session: OrtSession): Promise<Finding> {
  const size = PRECISION_SIZE;
  const numbers = new Float32Array(size * size).map((_, index) => 1 + (index % 1024) * 2 ** -23);
  const identity = new Float32Array(size * size);
  for (let row = 0; row < size; row++) identity[row * size + row] = 1;
  const tensors = [numbers, identity].map((values) => session.newTensor('float32', [size, size], values));
  const result = session.newTensor('float32', [size, size]);
  await session.run({ x: tensors[0]!, w: tensors[1]! }, { y: result });
  const lost = result.data.filter((value, index) => value !== numbers[index]).length;
  for (const tensor of [...tensors, result]) tensor.release();
  return {
    what: 'products of float32 are not rounded to TF32',
    holds: lost === 0,
    seen: `${lost} of ${size * size} numbers lost bits`,
  };
}
