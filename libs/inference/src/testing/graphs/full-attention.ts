import { type DecoderGraphOptions } from './decoder-graph-options.js';
import { type GraphBuilder } from './graph-builder.js';
import { addProjection } from './projection.js';

/** What all attention layers of a graph share. */
export interface AttentionFrame {
  /** Name of a cache port. */
  cachePort: (time: 'past' | 'present', layer: number, side: 'key' | 'value') => string;
  /** Attends; returns the heads' outputs side by side, [batch, length, heads * size]. */
  attend: (layer: number, q: string, k: string, v: string) => string;
}

/** The nodes before the layers, for the kind of attention that is wanted. */
export function addAttentionFrame(
  graph: GraphBuilder,
  options: DecoderGraphOptions,
  cachePort: AttentionFrame['cachePort'],
): AttentionFrame {
  const attend = options.attention === 'gqa' ? groupedAttention(graph, options, cachePort) : plainAttention(graph, options, cachePort);
  return { cachePort, attend };
}

/** One attention layer of `x`, with its cache ports. */
export function addFullAttention(
  graph: GraphBuilder,
  options: DecoderGraphOptions,
  frame: AttentionFrame,
  layer: number,
  x: string,
): string {
  const { hidden, heads, kvHeads, headSize } = options.shape;
  for (const side of ['key', 'value'] as const) {
    graph.input(frame.cachePort('past', layer, side), options.type, ['batch_size', kvHeads, 'past_sequence_length', headSize]);
    graph.output(frame.cachePort('present', layer, side), options.type, ['batch_size', kvHeads, 'total_sequence_length', headSize]);
  }
  const project = (part: string, input: string, from: number, to: number) =>
    addProjection(graph, options, `model.layers.${layer}.attn.${part}`, input, [from, to]);
  const [q, k, v] = options.projections === 'qkv' ? fused() : separate();
  return project('o_proj', frame.attend(layer, q, k, v), heads * headSize, hidden);

  function separate(): [string, string, string] {
    return [
      project('q_proj', x, hidden, heads * headSize),
      project('k_proj', x, hidden, kvHeads * headSize),
      project('v_proj', x, hidden, kvHeads * headSize),
    ];
  }
  function fused(): [string, string, string] {
    const sizes = [heads * headSize, kvHeads * headSize, kvHeads * headSize];
    const all = project('qkv_proj', x, hidden, sizes[0]! + sizes[1]! + sizes[2]!);
    const parts: [string, string, string] = [`${all}/q`, `${all}/k`, `${all}/v`];
    graph.ops('Split', [all, graph.integers(sizes)], parts, { axis: -1 });
    return parts;
  }
}

function rotaryFrequencies({ shape: { headSize } }: DecoderGraphOptions): Float32Array {
  return Float32Array.from({ length: headSize / 2 }, (_, index) => 10_000 ** ((-2 * index) / headSize));
}

function groupedAttention(graph: GraphBuilder, options: DecoderGraphOptions, port: AttentionFrame['cachePort']): AttentionFrame['attend'] {
  const { heads, kvHeads, headSize, positions } = options.shape;
  const frequencies = rotaryFrequencies(options);
  const table = (turn: (angle: number) => number) =>
    Float32Array.from({ length: (positions * headSize) / 2 }, (_, index) =>
      turn(Math.floor(index / frequencies.length) * frequencies[index % frequencies.length]!),
    );
  const cosines = graph.floats('cos_cache', [positions, headSize / 2], table(Math.cos));
  const sines = graph.floats('sin_cache', [positions, headSize / 2], table(Math.sin));
  const int32 = 6;
  const tokens = graph.op('ReduceSum', ['attention_mask', graph.integers([1])], { keepdims: 0 });
  const last = graph.op('Cast', [graph.op('Sub', [tokens, graph.integers(1)])], { to: int32 });
  const width = graph.op('Gather', [graph.op('Shape', ['attention_mask']), graph.integers(1)], { axis: 0 });
  const total = graph.op('Cast', [width], { to: int32 });
  return (layer, q, k, v) => {
    const name = `/model/layers.${layer}/attn/GroupQueryAttention`;
    graph.ops(
      'com.microsoft.GroupQueryAttention',
      [q, k, v, port('past', layer, 'key'), port('past', layer, 'value'), last, total, cosines, sines],
      [`${name}/output_0`, port('present', layer, 'key'), port('present', layer, 'value')],
      { num_heads: heads, kv_num_heads: kvHeads, do_rotary: 1, rotary_interleaved: 0, scale: { float: 1 / Math.sqrt(headSize) } },
      name,
    );
    return `${name}/output_0`;
  };
}

function plainAttention(graph: GraphBuilder, options: DecoderGraphOptions, port: AttentionFrame['cachePort']): AttentionFrame['attend'] {
  const { heads, kvHeads, headSize } = options.shape;
  const floatCode = options.type === 'float32' ? 1 : 10;
  const bool = 9;
  const int = (value: number | number[]) => graph.integers(value);
  const size = (tensor: string, axis: number) => graph.op('Gather', [graph.op('Shape', [tensor]), int(axis)], { axis: 0 });

  const positionIds = options.positionPlanes ? graph.op('Gather', ['position_ids', int(0)], { axis: 0 }) : 'position_ids';
  const columns = graph.op('Unsqueeze', [graph.op('Cast', [positionIds], { to: floatCode }), int([-1])]);
  const half = graph.op('Mul', [columns, graph.floats('inv_freq', [1, 1, headSize / 2], rotaryFrequencies(options))]);
  const angles = graph.op('Concat', [half, half], { axis: -1 });
  const cosines = graph.op('Unsqueeze', [graph.op('Cos', [angles]), int([1])]);
  const sines = graph.op('Unsqueeze', [graph.op('Sin', [angles]), int([1])]);

  const total = size('attention_mask', 1);
  const keys = graph.op('Range', [int(0), total, int(1)]);
  const queries = graph.op('Range', [graph.op('Sub', [total, size('input_ids', 1)]), total, int(1)]);
  const causal = graph.op('LessOrEqual', [graph.op('Unsqueeze', [keys, int([0])]), graph.op('Unsqueeze', [queries, int([1])])]);
  const held = graph.op('Unsqueeze', [graph.op('Cast', ['attention_mask'], { to: bool }), int([1, 2])]);
  const visible = graph.op('And', [graph.op('Unsqueeze', [causal, int([0, 1])]), held]);
  const bias = graph.op('Where', [visible, graph.scalar(0), graph.scalar(-60_000)]);

  const split = (x: string, count: number) =>
    graph.op('Transpose', [graph.op('Reshape', [x, int([0, 0, count, headSize])])], { perm: [0, 2, 1, 3] });
  const rotate = (x: string) => {
    const [low, high] = [`${x}/low`, `${x}/high`];
    graph.ops('Split', [x, int([headSize / 2, headSize / 2])], [low, high], { axis: -1 });
    const turned = graph.op('Concat', [graph.op('Neg', [high]), low], { axis: -1 });
    return graph.op('Add', [graph.op('Mul', [x, cosines]), graph.op('Mul', [turned, sines])]);
  };
  const repeat = (x: string) => {
    const grouped = graph.op('Unsqueeze', [x, int([2])]);
    const target = graph.op('Concat', [size2(grouped, [0, 1]), int([heads / kvHeads]), size2(grouped, [3, 4])], { axis: 0 });
    return graph.op('Reshape', [graph.op('Expand', [grouped, target]), int([0, heads, -1, headSize])]);
  };
  const size2 = (x: string, axes: number[]) => graph.op('Gather', [graph.op('Shape', [x]), int(axes)], { axis: 0 });

  return (layer, q, k, v) => {
    const fresh = { key: rotate(split(k, kvHeads)), value: split(v, kvHeads) };
    for (const side of ['key', 'value'] as const) {
      graph.op('Concat', [port('past', layer, side), fresh[side]], { axis: 2 }, { output: port('present', layer, side) });
    }
    const [allKeys, allValues] = [repeat(port('present', layer, 'key')), repeat(port('present', layer, 'value'))];
    const products = graph.op('MatMul', [rotate(split(q, heads)), graph.op('Transpose', [allKeys], { perm: [0, 1, 3, 2] })]);
    const scores = graph.op('Add', [graph.op('Mul', [products, graph.scalar(1 / Math.sqrt(headSize))]), bias]);
    const mixed = graph.op('MatMul', [graph.op('Softmax', [scores], { axis: -1 }), allValues]);
    return graph.op('Reshape', [graph.op('Transpose', [mixed], { perm: [0, 2, 1, 3] }), int([0, 0, heads * headSize])]);
  };
}
