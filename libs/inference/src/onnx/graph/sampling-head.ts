import { newNode } from './attributes.js';
import { newRawTensor } from './new-tensor.js';
import { newValue } from './new-value.js';
import { ElementType, type OnnxModel } from './onnx-model.js';

/** Names of the sampling head's ports. */
export const SAMPLING_HEAD = {
  /** Input: float64 [batch, 1, 1], above 0; of the mass only. */
  temperature: 'kiln.head.temperature',
  /** Output: the largest logits of the last position, float32 [batch, 1, count]. */
  logits: 'kiln.head.logits',
  /** Output: their tokens, int64. */
  tokens: 'kiln.head.tokens',
  /** Output: Σ exp((logit − largest) / temperature) over the whole vocabulary, float64 [batch, 1, 1]; NaN when any logit is, or the largest is infinite. */
  mass: 'kiln.head.mass',
} as const;

interface Outputs {
  readonly outputs: readonly { readonly name: string; readonly shape: readonly (number | string)[] }[];
}

/** Whether the graph of a session has a sampling head. */
export function hasSamplingHead({ outputs }: Outputs): boolean {
  return outputs.some(({ name }) => name === SAMPLING_HEAD.logits);
}

/** Candidates that the sampling head of a session finds in a row. Only where it has one. */
export function candidateCount({ outputs }: Outputs): number {
  return Number(outputs.find(({ name }) => name === SAMPLING_HEAD.logits)!.shape[2]);
}

/** Since this version the operators take their axes as they are given here. */
export const SAMPLING_HEAD_OPSET = 13;

/**
 * The model with a head that finds the candidates for sampling, so that only they leave the device. What they leave out follows from the mass;
 * whoever needs more fetches the logits, which stay an output. The mass is computed in float64, as the sampler does: with it, cuts and draws
 * are decided as they would be over all logits.
 * @param model of {@link SAMPLING_HEAD_OPSET} or later.
 * @param logits name of the logits output [batch, positions, vocabulary].
 * @param count of candidates, at most the vocabulary's size.
 */
export function addSamplingHead(model: OnnxModel, logits: string, count: number): OnnxModel {
  const node = (part: string, opType: string, inputs: string[], outputs: string[], attributes = {}) =>
    newNode(`/kiln/head/${part}`, opType, inputs, outputs, attributes);
  const constants = Object.entries({ count: BigInt(count), last: -1n, end: 2n ** 63n - 1n, positions: 1n, zero: 0n, one: 1n, tokens: 2n });
  const constant = (name: string) => `kiln.head.constant.${name}`;
  const [last, single, largest] = ['/kiln/head/last', '/kiln/head/single', '/kiln/head/largest'];
  const [wide, wideLargest, below, cooled, weights] = ['wide', 'wide_largest', 'below', 'cooled', 'weights'].map(
    (name) => `/kiln/head/${name}`,
  ) as [string, string, string, string, string];
  return {
    ...model,
    nodes: [
      ...model.nodes,
      node('slice', 'Slice', [logits, ...['last', 'end', 'positions'].map(constant)], [last]),
      node('cast', 'Cast', [last], [single], { to: ElementType.float32 }),
      node('top', 'TopK', [single, constant('count')], [SAMPLING_HEAD.logits, SAMPLING_HEAD.tokens]),
      node('first', 'Slice', [SAMPLING_HEAD.logits, ...['zero', 'one', 'tokens'].map(constant)], [largest]),
      node('widen', 'Cast', [single], [wide], { to: ElementType.float64 }),
      node('widen_largest', 'Cast', [largest], [wideLargest], { to: ElementType.float64 }),
      node('subtract', 'Sub', [wide, wideLargest], [below]),
      node('cool', 'Div', [below, SAMPLING_HEAD.temperature], [cooled]),
      node('weigh', 'Exp', [cooled], [weights]),
      node('sum', 'ReduceSum', [weights, constant('last')], [SAMPLING_HEAD.mass]),
    ],
    initializers: [
      ...model.initializers,
      ...constants.map(([name, value]) =>
        newRawTensor(constant(name), [1], ElementType.int64, new Uint8Array(BigInt64Array.of(value).buffer)),
      ),
    ],
    inputs: [...model.inputs, newValue(SAMPLING_HEAD.temperature, ElementType.float64, ['batch_size', 1, 1])],
    outputs: [
      ...model.outputs,
      newValue(SAMPLING_HEAD.logits, ElementType.float32, ['batch_size', 1, count]),
      newValue(SAMPLING_HEAD.tokens, ElementType.int64, ['batch_size', 1, count]),
      newValue(SAMPLING_HEAD.mass, ElementType.float64, ['batch_size', 1, 1]),
    ],
  };
}
