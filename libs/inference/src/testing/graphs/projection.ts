import { moduleKey } from '../../onnx/lora/module-path.js';
import { type DecoderGraphOptions } from './decoder-graph-options.js';
import { type GraphBuilder } from './graph-builder.js';
import { packBlocks, QUANTISATION_BLOCK } from './pack-blocks.js';
import { randomWeights } from './random-weights.js';

/** y = W x for the module `model.layers.0.attn.q_proj`, written as the exporter does. Returns y's name. */
export function addProjection(
  graph: GraphBuilder,
  options: DecoderGraphOptions,
  module: string,
  x: string,
  [inFeatures, outFeatures]: readonly [number, number],
): string {
  const values = projectionWeights(options, module, inFeatures, outFeatures);
  const style = options.projections;
  const nodePath = `/${module.replaceAll('.', '/').replace(/layers\/(\d+)/, 'layers.$1')}`;
  if (options.quantisation === 'dynamic') return addDynamicProjection(graph, nodePath, x, { module, values, outFeatures });
  if (options.quantisation !== null) {
    const { accuracyLevel, bits = 4 } = options.quantisation;
    const { packed, scales } = packBlocks(values, [inFeatures, outFeatures], bits);
    const blocks = inFeatures / QUANTISATION_BLOCK;
    const q = graph.bytes(`${module}.MatMul.weight_Q${bits}`, [outFeatures, blocks, (QUANTISATION_BLOCK * bits) / 8], 'uint8', packed);
    const s = graph.floats(`${module}.MatMul.weight_scales`, [outFeatures * blocks], scales);
    const attributes = {
      K: inFeatures,
      N: outFeatures,
      bits,
      block_size: QUANTISATION_BLOCK,
      accuracy_level: accuracyLevel,
    };
    return graph.op('com.microsoft.MatMulNBits', [x, q, s], attributes, { name: `${nodePath}/MatMul_Q${bits}` });
  }
  const huggingFace = module.replace('.attn.', '.self_attn.');
  switch (style) {
    case 'optimum': {
      const weight = graph.floats(
        `onnx::MatMul_${module.length}${outFeatures}_${graph.model.nodes.length}`,
        [inFeatures, outFeatures],
        values,
      );
      return graph.op('MatMul', [x, weight], {}, { name: nodePath.replace('/attn/', '/self_attn/') + '/MatMul' });
    }
    case 'Transpose': {
      const weight = graph.floats(`${huggingFace}.weight`, [outFeatures, inFeatures], transposed(values, inFeatures, outFeatures));
      const turned = graph.op('Transpose', [weight], { perm: [1, 0] });
      return graph.op('MatMul', [x, turned], {}, { name: `node_MatMul_${graph.model.nodes.length}` });
    }
    case 'FusedMatMul': {
      const weight = graph.floats(`${module}.MatMul.weight`, [outFeatures, inFeatures], transposed(values, inFeatures, outFeatures));
      return graph.op('com.microsoft.FusedMatMul', [x, weight], { transB: 1 }, { name: `${nodePath}/FusedMatMul` });
    }
    case 'Gemm': {
      const weight = graph.floats(`${module}.Gemm.weight`, [outFeatures, inFeatures], transposed(values, inFeatures, outFeatures));
      const bias = graph.floats(`${module}.Gemm.bias`, [outFeatures], new Float32Array(outFeatures));
      const flat = graph.op('Reshape', [x, graph.integers([-1, inFeatures])]);
      const y = graph.op('Gemm', [flat, weight, bias], { transB: 1 }, { name: `${nodePath}/Gemm` });
      const lengths = graph.op('Slice', [graph.op('Shape', [x]), graph.integers([0]), graph.integers([2])]);
      return graph.op('Reshape', [y, graph.op('Concat', [lengths, graph.integers([outFeatures])], { axis: 0 })]);
    }
    default: {
      const weight = graph.floats(`${module}.MatMul.weight`, [inFeatures, outFeatures], values);
      return graph.op('MatMul', [x, weight], {}, { name: `${nodePath}/MatMul` });
    }
  }
}

/** As ONNX Runtime's dynamic quantisation writes it: one scale for the weights, one for whatever the activations are. */
function addDynamicProjection(
  graph: GraphBuilder,
  nodePath: string,
  x: string,
  { module, values, outFeatures }: { module: string; values: Float32Array; outFeatures: number },
): string {
  const scale = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) / 127;
  const rounded = new Uint8Array(Int8Array.from(values, (value) => Math.round(value / scale)).buffer);
  const weight = graph.bytes(`${module}.MatMul.weight_quantized`, [values.length / outFeatures, outFeatures], 'int8', rounded);
  const [xRounded, xScale, xZero] = [`${nodePath}/x`, `${nodePath}/x_scale`, `${nodePath}/x_zero`];
  graph.ops('DynamicQuantizeLinear', [x], [xRounded, xScale, xZero]);
  const product = graph.op('MatMulInteger', [xRounded, weight, xZero], {}, { name: `${nodePath}/MatMul_quant` });
  const scales = graph.op('Mul', [xScale, graph.floats(`${module}.MatMul.weight_scale`, [1], Float32Array.of(scale))]);
  return graph.op('Mul', [graph.op('Cast', [product], { to: 1 }), scales]);
}

/** W^T [in, out], with the merged adapter's update. */
function projectionWeights({ seed, merged }: DecoderGraphOptions, module: string, inFeatures: number, outFeatures: number): Float32Array {
  const values = randomWeights(seed, module, inFeatures * outFeatures, 1 / Math.sqrt(inFeatures));
  for (const [path, { rank, scale, a, b }] of merged ?? []) {
    if (moduleKey(path) !== moduleKey(module)) continue;
    for (let input = 0; input < inFeatures; input++) {
      for (let output = 0; output < outFeatures; output++) {
        let delta = 0;
        for (let r = 0; r < rank; r++) delta += a[r * inFeatures + input]! * b[output * rank + r]!;
        values[input * outFeatures + output]! += scale * delta;
      }
    }
  }
  return values;
}

function transposed(values: Float32Array, rows: number, columns: number): Float32Array {
  return Float32Array.from(values, (_, index) => values[(index % rows) * columns + Math.floor(index / rows)]!);
}
