import { newNode } from './attributes.js';
import { newRawTensor } from './new-tensor.js';
import { newValue } from './new-value.js';
import { ElementType, type OnnxModel } from './onnx-model.js';

/** Names of the sampling head's ports. */
export const SAMPLING_HEAD = {
  /** Input: float32 [batch, 1, 1], above 0; of the log-sum-exp only. */
  temperature: 'kiln.head.temperature',
  /** Output: the largest logits, float32 [batch, positions, count], falling; equal ones by rising token. */
  logits: 'kiln.head.logits',
  /** Output: their tokens, int64. */
  tokens: 'kiln.head.tokens',
  /** Output: ln Σ exp(logit / temperature) over the whole vocabulary, float32 [batch, positions, 1]; NaN when any logit is. */
  logSumExp: 'kiln.head.log_sum_exp',
} as const;

/**
 * The model with a head that finds the candidates for sampling, so that only they leave the device. The share of the
 * probability that they cover follows from the log-sum-exp; whoever needs more fetches the logits, which stay an output.
 * @param logits name of the logits output.
 * @param count of candidates, at most the vocabulary's size.
 */
export function addSamplingHead(model: OnnxModel, logits: string, count: number): OnnxModel {
  const node = (part: string, opType: string, inputs: string[], outputs: string[], attributes = {}) =>
    newNode(`/kiln/head/${part}`, opType, inputs, outputs, attributes);
  const constant = newRawTensor('kiln.head.count', [1], ElementType.int64, new Uint8Array(BigInt64Array.of(BigInt(count)).buffer));
  const [single, cooled] = ['/kiln/head/single', '/kiln/head/cooled'];
  return {
    ...model,
    nodes: [
      ...model.nodes,
      node('cast', 'Cast', [logits], [single], { to: ElementType.float32 }),
      node('top', 'TopK', [single, constant.name], [SAMPLING_HEAD.logits, SAMPLING_HEAD.tokens]),
      node('cool', 'Div', [single, SAMPLING_HEAD.temperature], [cooled]),
      node('sum', 'ReduceLogSumExp', [cooled], [SAMPLING_HEAD.logSumExp], { axes: [-1] }),
    ],
    initializers: [...model.initializers, constant],
    inputs: [...model.inputs, newValue(SAMPLING_HEAD.temperature, ElementType.float32, ['batch_size', 1, 1])],
    outputs: [
      ...model.outputs,
      newValue(SAMPLING_HEAD.logits, ElementType.float32, ['batch_size', 'head_positions', count]),
      newValue(SAMPLING_HEAD.tokens, ElementType.int64, ['batch_size', 'head_positions', count]),
      newValue(SAMPLING_HEAD.logSumExp, ElementType.float32, ['batch_size', 'head_positions', 1]),
    ],
  };
}
