import { type Tensor } from 'onnxruntime-node';
import ort from 'onnxruntime-node';
import { type CachePort, type DecoderLayout } from '../decoder-layout.js';

type CacheArray = Float32Array | Uint16Array;

/** Keys and values of some rows, all of the same length. Immutable: the runtime returns a new one with every step. */
export interface KvCache {
  readonly rows: number;
  /** Tokens seen so far. */
  readonly length: number;
  /** By cache input, [rows, heads, length, size]. */
  readonly tensors: ReadonlyMap<string, Tensor>;
}

/** The cache of one row that has seen nothing. */
export function emptyCache(layout: DecoderLayout): KvCache {
  const tensors = layout.cache.map((port) => [port.past, cacheTensor(layout, port, 1, 0, newArray(layout, 0))] as const);
  return { rows: 1, length: 0, tensors: new Map(tensors) };
}

/**
 * A cache whose rows are copies of the given rows of the given caches, in order. All caches have the same length: rows of
 * unequal length would need padding, which the GroupQueryAttention operator answers with wrong tokens.
 */
export function gatherRows(layout: DecoderLayout, rows: readonly { cache: KvCache; row: number }[]): KvCache {
  const { length } = rows[0]!.cache;
  if (rows.some(({ cache }) => cache.length !== length)) throw new RangeError('rows of unequal length cannot share a cache');
  const tensors = layout.cache.map((port) => {
    const stride = port.heads * length * port.headSize;
    const gathered = newArray(layout, rows.length * stride);
    rows.forEach(({ cache, row }, index) => {
      const source = cache.tensors.get(port.past)!.data as CacheArray;
      gathered.set(source.subarray(row * stride, (row + 1) * stride), index * stride);
    });
    return [port.past, cacheTensor(layout, port, rows.length, length, gathered)] as const;
  });
  return { rows: rows.length, length, tensors: new Map(tensors) };
}

function newArray(layout: DecoderLayout, size: number): CacheArray {
  return layout.cacheType === 'float16' ? new Uint16Array(size) : new Float32Array(size);
}

function cacheTensor(layout: DecoderLayout, { heads, headSize }: CachePort, rows: number, length: number, data: CacheArray): Tensor {
  return new ort.Tensor(layout.cacheType, data, [rows, heads, length, headSize]);
}
