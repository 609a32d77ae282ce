import { type LoraSite } from '../lora/lora-sites.js';
import { type PeftAdapter } from '../lora/peft-adapter.js';

/** An adapter for all projections, whose values are of no meaning but of the usual size. */
export function madeUpAdapter(sites: ReadonlyMap<string, LoraSite>, rank: number): PeftAdapter {
  const wave = (size: number, inFeatures: number) =>
    Float32Array.from({ length: size }, (_, index) => Math.fround((((index * 2_654_435_761) % 1000) / 500 - 1) / Math.sqrt(inFeatures)));
  return new Map(
    [...sites.values()].map(({ key, inFeatures, outFeatures }) => [
      key,
      { rank, inFeatures, outFeatures, scale: 1, a: wave(rank * inFeatures, inFeatures), b: wave(outFeatures * rank, outFeatures) },
    ]),
  );
}
