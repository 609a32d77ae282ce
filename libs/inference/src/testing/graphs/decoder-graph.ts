import { type OnnxModel } from '../../onnx/graph/onnx-model.js';
import { type DecoderGraphOptions, DEFAULT_GRAPH } from './decoder-graph-options.js';
import { addAttentionFrame, addFullAttention } from './full-attention.js';
import { GraphBuilder, type StoreWeight } from './graph-builder.js';
import { addLinearAttention } from './linear-attention.js';
import { addProjection } from './projection.js';
import { randomWeights } from './random-weights.js';

const EPSILON = { epsilon: { float: 1e-6 }, axis: -1 };

/**
 * A decoder with random weights, in any of the forms that exporters write: Llama-like blocks (RMS norm, rotary positions,
 * gated feed-forward). Same options, same bytes.
 */
export function buildDecoderGraph(over: Partial<DecoderGraphOptions> = {}, storeWeight?: StoreWeight): OnnxModel {
  const options = { ...DEFAULT_GRAPH, ...over };
  const { shape, seed, type } = options;
  const { hidden, vocabulary, feedForward } = shape;
  const graph = new GraphBuilder(type, storeWeight);
  graph.input('input_ids', 'int64', ['batch_size', 'sequence_length']);
  graph.input('attention_mask', 'int64', ['batch_size', 'total_sequence_length']);
  if (options.attention === 'plain') {
    graph.input('position_ids', 'int64', [...(options.positionPlanes ? [3] : []), 'batch_size', 'sequence_length']);
  }
  graph.output('logits', type, ['batch_size', 'logits_length', vocabulary]);

  const embedding = graph.floats(
    'model.embed_tokens.weight',
    [vocabulary, hidden],
    randomWeights(seed, 'embed_tokens', vocabulary * hidden, 0.5),
  );
  let x = graph.op('Gather', [embedding, 'input_ids'], {}, { name: '/model/embed_tokens/Gather' });
  const norm = (input: string, module: string) =>
    graph.op(
      'SimplifiedLayerNormalization',
      [input, graph.floats(`${module}.weight`, [hidden], new Float32Array(hidden).fill(1))],
      EPSILON,
    );
  const frame = addAttentionFrame(graph, options, (time, layer, side) => cachePort(options, time, layer, side));
  for (let layer = 0; layer < shape.layers; layer++) {
    const module = `model.layers.${layer}`;
    const project = (part: string, input: string, from: number, to: number) =>
      addProjection(graph, options, `${module}.mlp.${part}`, input, [from, to]);
    const normed = norm(x, `${module}.input_layernorm`);
    const isLinear = options.hybrid && layer % 2 === 0;
    const attended = isLinear
      ? addLinearAttention(graph, options, (time, at, kind) => statePort(options, time, at, kind), layer, normed)
      : addFullAttention(graph, options, frame, layer, normed);
    x = graph.op('Add', [x, attended]);
    const inner = norm(x, `${module}.post_attention_layernorm`);
    const gate = project('gate_proj', inner, hidden, feedForward);
    const gated = graph.op('Mul', [graph.op('Mul', [gate, graph.op('Sigmoid', [gate])]), project('up_proj', inner, hidden, feedForward)]);
    x = graph.op('Add', [x, project('down_proj', gated, feedForward, hidden)]);
  }
  const last = keepLast(graph, options, norm(x, 'model.norm'));
  const logits = addProjection(graph, options, 'lm_head', last, [hidden, vocabulary]);
  graph.op('Identity', [logits], {}, { output: 'logits' });
  return graph.model;
}

function keepLast(graph: GraphBuilder, { logits }: DecoderGraphOptions, x: string): string {
  if (logits === 'all') return x;
  const isScalar = logits === 'num_logits_to_keep';
  graph.input(logits, 'int64', isScalar ? [] : [1]);
  const count = isScalar ? graph.op('Unsqueeze', [logits, graph.integers([0])]) : logits;
  return graph.op('Slice', [x, graph.op('Neg', [count]), graph.integers([Number.MAX_SAFE_INTEGER]), graph.integers([1])]);
}

function cachePort({ cacheNames }: DecoderGraphOptions, time: 'past' | 'present', layer: number, side: 'key' | 'value'): string {
  if (cacheNames === 'custom') return `${side}_cache_${time === 'past' ? 'in' : 'out'}_${layer}`;
  return `${time === 'past' ? 'past_key_values' : 'present'}.${layer}.${side}`;
}

function statePort({ cacheNames }: DecoderGraphOptions, time: 'past' | 'present', layer: number, kind: 'conv' | 'recurrent'): string {
  return cacheNames === 'huggingface' ? `${time}_${kind}.${layer}` : `${time}.${layer}.${kind}`;
}
