import { totalmem } from 'node:os';

export interface MemoryBudget {
  /** Most bytes of keys, values and recurrent states, over all models. */
  readonly kvCacheBytes: number;
  /** Most bytes of weights that stay loaded while nobody uses them. What is in use is never given up for it. */
  readonly weightBytes: number;
}

/** A quarter and a half of what this process may use: the rest is for the runtime's own buffers and for everybody else. */
const KV_SHARE = 1 / 4;
const WEIGHT_SHARE = 1 / 2;

/** What was set, and the rest by the memory of the machine, or of the device that has `deviceBytes`. */
export function memoryBudget(
  set: { readonly [Bound in keyof MemoryBudget]?: number | null },
  deviceBytes: number | null = null,
): MemoryBudget {
  const standard = deviceBytes === null ? defaultMemoryBudget() : sharesOf(deviceBytes);
  return { kvCacheBytes: set.kvCacheBytes ?? standard.kvCacheBytes, weightBytes: set.weightBytes ?? standard.weightBytes };
}

/** @param constrained bytes that the process is limited to from outside; 0 or more than the machine has = not limited. */
export function defaultMemoryBudget(constrained = process.constrainedMemory(), machine = totalmem()): MemoryBudget {
  return sharesOf(constrained > 0 ? Math.min(constrained, machine) : machine);
}

function sharesOf(available: number): MemoryBudget {
  return { kvCacheBytes: Math.floor(available * KV_SHARE), weightBytes: Math.floor(available * WEIGHT_SHARE) };
}
