import { fromHalf } from '../onnx/graph/half-float.js';
import { type OrtSession, type OrtTensor } from './ort-session.js';

export interface GreedyResult {
  tokens: number[];
  /** Of each step, as hexadecimal: equal to the bit or not. */
  logits: string[];
}

const past = (name: string) => name.startsWith('past_key_values.');
const present = (name: string) => name.replace('past_key_values', 'present');

/**
 * Continues a prompt with the likeliest tokens. With `width`, K/V is one buffer of so many positions that past and present share,
 * under a mask as wide; without, each step has a new and longer one.
 */
export async function greedy(session: OrtSession, prompt: readonly number[], steps: number, width?: number): Promise<GreedyResult> {
  const kvSpecs = session.inputs.filter(({ name }) => past(name));
  const newKv = (length: number) =>
    kvSpecs.map(
      ({ name, type, shape }) => [name, session.newDeviceTensor(type!, [1, Number(shape[1]), length, Number(shape[3])])] as const,
    );
  const logitsSpec = session.outputs.find(({ name }) => name === 'logits')!;
  const logits = session.newTensor(logitsSpec.type!, [1, 1, Number(logitsSpec.shape[2])]);
  const keep = session.newTensor('int64', [], BigInt64Array.of(1n));
  const result: GreedyResult = { tokens: [], logits: [] };
  let kv = newKv(width ?? 0);
  let next = [...prompt];
  let length = 0;
  for (let step = 0; step < steps; step++) {
    const total = length + next.length;
    const mask = new BigInt64Array(width ?? total).fill(1n, 0, total);
    const inputs: Record<string, OrtTensor> = {
      input_ids: session.newTensor('int64', [1, next.length], BigInt64Array.from(next, BigInt)),
      attention_mask: session.newTensor('int64', [1, mask.length], mask),
    };
    if (session.inputs.some(({ name }) => name === 'position_ids')) {
      const positions = BigInt64Array.from(next, (_, index) => BigInt(length + index));
      inputs['position_ids'] = session.newTensor('int64', [1, next.length], positions);
    }
    const grown = width === undefined ? newKv(total) : kv;
    await session.run(
      { ...inputs, num_logits_to_keep: keep, ...Object.fromEntries(kv) },
      { logits, ...Object.fromEntries(grown.map(([name, tensor]) => [present(name), tensor])) },
    );
    for (const tensor of Object.values(inputs)) tensor.release();
    if (grown !== kv) for (const [, tensor] of kv) tensor.release();
    kv = grown;
    length = total;
    const { data } = logits;
    const values = data instanceof Uint16Array ? Float32Array.from(data, fromHalf) : (data as Float32Array);
    const token = values.indexOf(Math.max(...values));
    next = [token];
    result.tokens.push(token);
    result.logits.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('hex'));
  }
  for (const tensor of [logits, keep, ...kv.map(([, value]) => value)]) tensor.release();
  return result;
}
