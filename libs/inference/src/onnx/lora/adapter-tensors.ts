import { toHalves } from '../graph/half-float.js';
import { type LoraSite } from './lora-sites.js';
import { type LoraMode } from './inject-lora.js';
import { moduleKey } from './module-path.js';
import { type LoraUpdate, type PeftAdapter } from './peft-adapter.js';

/** A matrix as the runtime takes it. Float16 values are their bits. */
export interface LoraTensor {
  type: 'float32' | 'float16';
  dims: readonly [rows: number, columns: number];
  data: Float32Array | Uint16Array;
}

/**
 * The tensors to feed for an adapter, by input name: transposed, scaled, in the type of the site. Compute them once per adapter.
 * @param adapter null = the base model.
 * @param sites that the graph was injected with.
 * @param mode `overridable`: the sites that the adapter updates, others keep their default. `required`: all sites.
 * @param leastRank where matrices without elements cannot be fed, 1: a rank below is filled up with zeros.
 */
export function adapterTensors(
  adapter: PeftAdapter | null,
  sites: readonly LoraSite[],
  mode: LoraMode,
  leastRank: 0 | 1 = 0,
): Map<string, LoraTensor> {
  const updates = new Map([...(adapter ?? [])].map(([path, update]) => [moduleKey(path), update]));
  const tensors = new Map<string, LoraTensor>();
  for (const site of sites) {
    const update = updates.get(site.key);
    if (update === undefined && mode === 'overridable') continue;
    const { rank, a, b, scale } = update !== undefined && update.rank >= leastRank ? update : noUpdate(site, leastRank);
    tensors.set(site.a, tensor(site, [site.inFeatures, rank], transpose(a, rank, site.inFeatures, 1)));
    tensors.set(site.b, tensor(site, [rank, site.outFeatures], transpose(b, site.outFeatures, rank, scale)));
  }
  return tensors;
}

function noUpdate({ inFeatures, outFeatures }: LoraSite, rank: number): LoraUpdate {
  return { rank, inFeatures, outFeatures, scale: 1, a: new Float32Array(rank * inFeatures), b: new Float32Array(rank * outFeatures) };
}

function tensor({ type }: LoraSite, dims: LoraTensor['dims'], values: Float32Array): LoraTensor {
  return { type, dims, data: type === 'float16' ? toHalves(values) : values };
}

function transpose(values: Float32Array, rows: number, columns: number, scale: number): Float32Array {
  const transposed = new Float32Array(values.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) transposed[column * rows + row] = values[row * columns + column]! * scale;
  }
  return transposed;
}
