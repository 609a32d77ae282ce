import { readIntAttribute } from './graph/attributes.js';
import { type OnnxModel, type OnnxNode } from './graph/onnx-model.js';
import { UnsupportedModelError } from './unsupported-model-error.js';

/** What a graph's operators demand of the one who runs it. */
export interface GraphOperators {
  /**
   * `gqa`: GroupQueryAttention. A row must be a run of tokens from column 0 on, zeros in the mask after it; with a past,
   * several new tokens only at batch 1. `plain`: attention in parts, where mask and position_ids decide alone.
   */
  attention: 'gqa' | 'plain';
  /** Cache inputs, and the output of the same operator, which may lie in the same memory. */
  inPlacePairs: ReadonlyMap<string, string>;
  /** Weights in few bits; null = none. An accuracy level of 4 computes alike for any number of rows, others do not for one row. */
  quantisation: { bits: readonly number[]; accuracyLevels: readonly number[] } | null;
  /**
   * Activations are quantised with one scale for the whole tensor, so that a row's result depends on its neighbours and on
   * how a prompt is cut. Such a model is reproducible only with one row per run and prompts read whole.
   */
  rowsInteract: boolean;
  /** Rows of the rotary table: no position can lie beyond. null = positions are computed. */
  rotaryPositions: number | null;
}

/** Domains whose operators are part of the runtime. */
const DOMAINS = new Set(['', 'ai.onnx', 'ai.onnx.ml', 'com.microsoft', 'com.ms.internal.nhwc', 'com.microsoft.nchwc']);

const REFUSED_OPERATORS = new Map([
  ['PagedAttention', 'its results are not reproducible across processes; export it with GroupQueryAttention'],
  ['SparseAttention', 'block-sparse attention is not supported; export it with GroupQueryAttention'],
  ['DecoderMaskedMultiHeadAttention', 'it is exported for beam search'],
  ['DecoderMaskedSelfAttention', 'it is exported for beam search'],
  ['BeamSearch', 'the graph decodes by itself; export the decoder alone'],
  ['GreedySearch', 'the graph decodes by itself; export the decoder alone'],
  ['Sampling', 'the graph decodes by itself; export the decoder alone'],
  ...['RandomNormal', 'RandomNormalLike', 'RandomUniform', 'RandomUniformLike', 'Multinomial', 'Bernoulli'].map(
    (operator) => [operator, 'it draws random numbers, so no answer could be repeated'] as const,
  ),
]);

const INTERACTING = new Set(['DynamicQuantizeLinear', 'DynamicQuantizeMatMul', 'DynamicQuantizeLSTM']);

/** GroupQueryAttention: inputs 3 and 4 are the cache, outputs 1 and 2 return it; input 7 is the table of cosines. */
const GQA = { pastKey: 3, pastValue: 4, cosines: 7, presentKey: 1, presentValue: 2 } as const;

/** @throws UnsupportedModelError for an operator that the runtime lacks, or that cannot be served. */
export function describeOperators(model: OnnxModel): GraphOperators {
  for (const node of model.nodes) refuseOperator(node);
  const attention = model.nodes.filter(({ opType }) => opType === 'GroupQueryAttention');
  const quantised = model.nodes.filter(({ opType }) => opType === 'MatMulNBits');
  return {
    attention: attention.length > 0 ? 'gqa' : 'plain',
    inPlacePairs: new Map(attention.flatMap(inPlacePairs)),
    quantisation:
      quantised.length === 0 ? null : { bits: distinct(quantised, 'bits', 4), accuracyLevels: distinct(quantised, 'accuracy_level', 0) },
    rowsInteract: model.nodes.some(({ opType }) => INTERACTING.has(opType)),
    rotaryPositions: rotaryPositions(model, attention),
  };
}

function refuseOperator({ opType, domain, name }: OnnxNode): void {
  if (!DOMAINS.has(domain)) {
    throw new UnsupportedModelError(`the operator ${opType} of the domain ${domain} (node ${name}) is not part of the runtime`);
  }
  const reason = REFUSED_OPERATORS.get(opType);
  if (reason !== undefined) throw new UnsupportedModelError(`the graph has the operator ${opType} (node ${name}): ${reason}`);
}

function inPlacePairs({ inputs, outputs }: OnnxNode): [past: string, present: string][] {
  const pairs = [
    [inputs[GQA.pastKey], outputs[GQA.presentKey]],
    [inputs[GQA.pastValue], outputs[GQA.presentValue]],
  ];
  return pairs.filter((pair): pair is [string, string] => pair.every((name) => name !== undefined && name !== ''));
}

function rotaryPositions({ initializers }: OnnxModel, attention: readonly OnnxNode[]): number | null {
  const names = new Set(attention.map(({ inputs }) => inputs[GQA.cosines]));
  const rows = initializers.filter(({ name, dims }) => names.has(name) && dims.length === 2).map(({ dims }) => dims[0]!);
  return rows.length === 0 ? null : Math.min(...rows);
}

function distinct(nodes: readonly OnnxNode[], attribute: string, standard: number): number[] {
  return [...new Set(nodes.map((node) => readIntAttribute(node, attribute) ?? standard))].toSorted((a, b) => a - b);
}
