import { join } from 'node:path';
import { MODELS } from '../onnx-target.fixture.js';
import { type GeneratedModelOptions } from './write-generated-model.js';

const tokenizerFrom = join(MODELS, 'tiny-arith');

/** A small model of every layout that is supported, by name. */
export const GENERATED_LAYOUTS: Readonly<Record<string, GeneratedModelOptions>> = {
  gqa: { tokenizerFrom },
  'gqa-external': { tokenizerFrom, dataFiles: 2 },
  'gqa-fp16': { tokenizerFrom, graph: { type: 'float16' } },
  'gqa-q4': { tokenizerFrom, graph: { quantisation: { accuracyLevel: 0 } } },
  'gqa-q4-level4': { tokenizerFrom, graph: { quantisation: { accuracyLevel: 4 } } },
  'gqa-q8': { tokenizerFrom, graph: { quantisation: { accuracyLevel: 4, bits: 8 } } },
  'gqa-dynamic8': { tokenizerFrom, graph: { quantisation: 'dynamic' } },
  plain: { tokenizerFrom, graph: { attention: 'plain', logits: 'all', projections: 'optimum' } },
  'plain-logits-to-keep': { tokenizerFrom, graph: { attention: 'plain', logits: 'logits_to_keep', projections: 'Gemm' } },
  'plain-transposed': { tokenizerFrom, graph: { attention: 'plain', projections: 'Transpose' } },
  'plain-fp16': { tokenizerFrom, graph: { attention: 'plain', type: 'float16' } },
  'fused-matmul': { tokenizerFrom, graph: { projections: 'FusedMatMul' } },
  'fused-qkv': { tokenizerFrom, graph: { projections: 'qkv' } },
  hybrid: { tokenizerFrom, graph: { attention: 'plain', hybrid: true, positionPlanes: true } },
  'hybrid-genai': { tokenizerFrom, layout: 'genai', graph: { hybrid: true, cacheNames: 'genai', logits: 'all' } },
  'hybrid-q4': { tokenizerFrom, graph: { hybrid: true, quantisation: { accuracyLevel: 4 } } },
  genai: { tokenizerFrom, layout: 'genai', dataFiles: 1, graph: { logits: 'all' } },
  'genai-names': { tokenizerFrom, layout: 'genai', graphFile: 'decoder.onnx', graph: { logits: 'all', cacheNames: 'custom' } },
};
