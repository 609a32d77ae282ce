import { readFile } from 'node:fs/promises';
import { readIntAttribute } from '../onnx/graph/attributes.js';
import { ElementType, type OnnxModel, type OnnxNode, type OnnxTensor, parseOnnx } from '../onnx/graph/onnx-model.js';

/** What every step reads and multiplies with, whatever is in its rows. */
export interface GraphWeights {
  /** Bytes of the weights, without tables of which a step reads single lines. */
  readonly bytes: number;
  /** Numbers in matrices that each token is multiplied with. */
  readonly parameters: number;
  /** Heads of a query; null = not stated by any operator. */
  readonly queryHeads: number | null;
}

/** Operators that read single lines of what they are given: embeddings, tables of cosines. */
const TABLE_READERS = new Set(['Gather', 'GatherND', 'GatherBlockQuantized', 'GroupQueryAttention', 'RotaryEmbedding']);
/** Weights in blocks: K x N numbers, whose bits the tensors do not count. */
const BLOCKWISE = new Set(['MatMulNBits', 'MatMulBnb4']);

const ELEMENT_BYTES: Readonly<Record<number, number>> = {
  [ElementType.float32]: 4,
  [ElementType.uint8]: 1,
  [ElementType.int8]: 1,
  [ElementType.int32]: 4,
  [ElementType.int64]: 8,
  [ElementType.bool]: 1,
  [ElementType.float16]: 2,
  [ElementType.bfloat16]: 2,
};

export async function readGraphWeights(graphPath: string): Promise<GraphWeights> {
  return graphWeights(parseOnnx(await readFile(graphPath)));
}

export function graphWeights(model: OnnxModel): GraphWeights {
  const readers = new Map<string, OnnxNode[]>();
  for (const node of model.nodes) {
    for (const input of new Set(node.inputs)) {
      const known = readers.get(input);
      if (known === undefined) readers.set(input, [node]);
      else known.push(node);
    }
  }
  const isTable = ({ name }: OnnxTensor) => {
    const found = readers.get(name) ?? [];
    return found.every(({ opType }) => TABLE_READERS.has(opType));
  };
  const isInBlocks = ({ name }: OnnxTensor) => (readers.get(name) ?? []).some(({ opType }) => BLOCKWISE.has(opType));
  const read = model.initializers.filter((tensor) => !isTable(tensor));
  const dense = read.filter((tensor) => tensor.dims.length >= 2 && !isInBlocks(tensor));
  const blocks = model.nodes.filter(({ opType }) => BLOCKWISE.has(opType));
  const attention = model.nodes.find(({ opType }) => opType === 'GroupQueryAttention');
  return {
    bytes: sum(read, ({ dims, elementType }) => product(dims) * (ELEMENT_BYTES[elementType] ?? 1)),
    parameters:
      sum(dense, ({ dims }) => product(dims)) +
      sum(blocks, (node) => (readIntAttribute(node, 'K') ?? 0) * (readIntAttribute(node, 'N') ?? 0)),
    queryHeads: attention === undefined ? null : readIntAttribute(attention, 'num_heads'),
  };
}

function sum<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((total, item) => total + amount(item), 0);
}

function product(dims: readonly number[]): number {
  return dims.reduce((total, dim) => total * dim, 1);
}
