import { markAsUntransferable } from 'node:worker_threads';

/** Memory that tensors are in: an ArrayBuffer, or an address on a device. */
export type TensorMemory = CpuMemory | { readonly kind: 'device'; readonly address: bigint };

export interface CpuMemory {
  readonly kind: 'cpu';
  readonly buffer: ArrayBuffer;
}

/** An array of no bytes has no address, and the runtime wants one. */
const LEAST_BYTES = 8;

/**
 * Zeros outside the JavaScript heap, which never move: a small typed array that is created by its length lies inside the heap
 * until its buffer is asked for. Not transferable, because a transfer would free the memory under a run.
 */
export function newCpuMemory(bytes: number): CpuMemory {
  const buffer = new ArrayBuffer(Math.max(bytes, LEAST_BYTES));
  markAsUntransferable(buffer);
  return { kind: 'cpu', buffer };
}
