import { type DecoderGraphOptions } from './decoder-graph-options.js';
import { type GraphBuilder } from './graph-builder.js';
import { addProjection } from './projection.js';
import { randomWeights } from './random-weights.js';

const WIDTH = 4;
const HEADS = 2;
const SIZE = 8;
const DECAY = 0.9;
const END = Number.MAX_SAFE_INTEGER;

/** Name of a state port. */
export type StatePortName = (time: 'past' | 'present', layer: number, kind: 'conv' | 'recurrent') => string;

/**
 * One layer with state of fixed size, of the family of gated linear attention: a causal convolution over time, then
 * S_t = 0.9 S_{t-1} + k_t v_t^T and y_t = q_t S_t, computed for all positions at once.
 */
export function addLinearAttention(
  graph: GraphBuilder,
  options: DecoderGraphOptions,
  port: StatePortName,
  layer: number,
  x: string,
): string {
  const { hidden } = options.shape;
  const { type } = options;
  const channels = 3 * HEADS * SIZE;
  const module = `model.layers.${layer}.linear_attn`;
  const int = (value: number | number[]) => graph.integers(value);
  for (const [time, add] of [
    ['past', graph.input],
    ['present', graph.output],
  ] as const) {
    add.call(graph, port(time, layer, 'conv'), type, ['batch_size', channels, WIDTH - 1]);
    add.call(graph, port(time, layer, 'recurrent'), type, ['batch_size', HEADS, SIZE, SIZE]);
  }

  const projected = addProjection(graph, options, `${module}.in_proj_qkv`, x, [hidden, channels]);
  const signal = graph.op('Concat', [port('past', layer, 'conv'), graph.op('Transpose', [projected], { perm: [0, 2, 1] })], { axis: 2 });
  graph.op('Slice', [signal, int([1 - WIDTH]), int([END]), int([2])], {}, { output: port('present', layer, 'conv') });
  const kernel = graph.floats(
    `${module}.conv1d.weight`,
    [channels, 1, WIDTH],
    randomWeights(options.seed, `${module}.conv1d`, channels * WIDTH, 0.5),
  );
  const filtered = graph.op('Transpose', [graph.op('Conv', [signal, kernel], { group: channels })], { perm: [0, 2, 1] });
  const active = graph.op('Mul', [filtered, graph.op('Sigmoid', [filtered])]);
  const parts = ['q', 'k', 'v'].map((part) => `/${module}/${part}`);
  graph.ops('Split', [active, int([HEADS * SIZE, HEADS * SIZE, HEADS * SIZE])], parts, { axis: -1 });
  const [q, k, v] = parts.map((part) =>
    graph.op('Transpose', [graph.op('Reshape', [part, int([0, 0, HEADS, SIZE])])], { perm: [0, 2, 1, 3] }),
  ) as [string, string, string];

  const length = graph.op('Gather', [graph.op('Shape', [x]), int(1)], { axis: 0 });
  const time = graph.op('Range', [int(0), length, int(1)]);
  const [rows, columns] = [graph.op('Unsqueeze', [time, int([1])]), graph.op('Unsqueeze', [time, int([0])])];
  const distance = graph.op('Sub', [rows, columns]);
  const power = (exponent: string) =>
    graph.op('Pow', [graph.scalar(DECAY), graph.op('Cast', [exponent], { to: type === 'float32' ? 1 : 10 })]);
  const decay = graph.op('Where', [graph.op('GreaterOrEqual', [distance, int(0)]), power(distance), graph.scalar(0)]);

  const products = graph.op('Mul', [graph.op('MatMul', [q, graph.op('Transpose', [k], { perm: [0, 1, 3, 2] })]), decay]);
  const state = port('past', layer, 'recurrent');
  const carried = graph.op('Mul', [graph.op('MatMul', [q, state]), power(graph.op('Add', [rows, int(1)]))]);
  const y = graph.op('Add', [graph.op('MatMul', [products, v]), carried]);

  const remaining = power(graph.op('Sub', [graph.op('Sub', [length, int(1)]), rows]));
  const faded = graph.op('Transpose', [graph.op('Mul', [k, remaining])], { perm: [0, 1, 3, 2] });
  const kept = graph.op('Mul', [state, power(length)]);
  graph.op('Add', [kept, graph.op('MatMul', [faded, v])], {}, { output: port('present', layer, 'recurrent') });

  const merged = graph.op('Reshape', [graph.op('Transpose', [y], { perm: [0, 2, 1, 3] }), int([0, 0, HEADS * SIZE])]);
  return addProjection(graph, { ...options, quantisation: null }, `${module}.out_proj`, merged, [HEADS * SIZE, hidden]);
}
