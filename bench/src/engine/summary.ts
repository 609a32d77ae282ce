import { type DecoderShape, type MachineLimits } from '@kiln/inference/testing';
import { median } from '../overhead/report.js';
import { decodeLimit, prefillLimit } from './decode-limit.js';
import { type PagedLimits } from './measure-paged-limits.js';
import { type Measured, type MeasuredModel } from './measure-model.js';
import { type MeasuredPlatform } from './measure-platform.js';
import { type Times } from './stopwatch.js';
import { type WorkloadSizes } from './workload.js';

export interface Ratio {
  cpu: number;
  wall: number;
}

/** Decoding at one batch size against what the machine can do. */
export interface OfLimit {
  rows: number;
  /** 1 = as fast as can be with ordinary pages, which is what programs get as they come. */
  share: number;
  /** 1 = as fast as can be with huge pages. */
  shareOfHuge: number;
  bound: 'bandwidth' | 'compute';
  limitS: number;
}

/** The figures that the aims are about, from medians. */
export interface Summary {
  /** How much longer transformers.js takes from end to end, at its faster batch size; by model. */
  overTransformersJs: Record<string, Ratio & { rows: number }>;
  decode: OfLimit[];
  /** Of the limit from end to end, huge pages, with the shared tokens read once and all completions decoded together. */
  endToEndShare: number;
  /** A whole job's time over the bare engine's. */
  platformOverhead: Ratio | null;
}

export interface SummaryParts {
  models: readonly MeasuredModel[];
  /** Of the first model. */
  shape: DecoderShape;
  sizes: WorkloadSizes;
  limits: PagedLimits;
  platform: MeasuredPlatform | null;
}

export function summarise({ models, shape, sizes, limits, platform }: SummaryParts): Summary {
  const [first] = models;
  const kiln = first!.endToEnd.find(({ contender }) => contender === 'Kiln')!;
  return {
    overTransformersJs: Object.fromEntries(models.map((model) => [model.model, overTransformersJs(model)])),
    decode: first!.decode.filter(({ contender }) => contender === 'Kiln').map((measured) => ofLimit(measured, shape, sizes, limits)),
    endToEndShare: endToEndLimit(first!, shape, sizes, limits.huge) / medianTimes(kiln.runs).cpuS,
    platformOverhead: platform === null ? null : ratio(medianTimes(platform.job), medianTimes(platform.engine)),
  };
}

export function medianTimes(runs: readonly Times[]): Times {
  return { cpuS: median(runs.map(({ cpuS }) => cpuS)), wallS: median(runs.map(({ wallS }) => wallS)) };
}

/** Decoding of any contender against the limit at the mean context of the steps that were timed. */
export function ofLimit({ rows, runs }: Measured, shape: DecoderShape, sizes: WorkloadSizes, limits: PagedLimits): OfLimit {
  const context = sizes.promptTokens + (sizes.decodeSteps + 1) / 2;
  const { seconds, bound } = decodeLimit(shape, rows!, context, limits.ordinary);
  const { cpuS } = medianTimes(runs);
  const shareOfHuge = decodeLimit(shape, rows!, context, limits.huge).seconds / cpuS;
  return { rows: rows!, share: seconds / cpuS, shareOfHuge, bound, limitS: seconds };
}

function overTransformersJs({ endToEnd }: MeasuredModel): Ratio & { rows: number } {
  const times = (name: string): { rows: number | null; times: Times }[] =>
    endToEnd.filter(({ contender }) => contender === name).map(({ rows, runs }) => ({ rows, times: medianTimes(runs) }));
  const fastest = times('transformers.js').toSorted((a, b) => a.times.cpuS - b.times.cpuS)[0]!;
  return { ...ratio(fastest.times, times('Kiln')[0]!.times), rows: fastest.rows! };
}

function ratio(of: Times, to: Times): Ratio {
  return { cpu: of.cpuS / to.cpuS, wall: of.wallS / to.wallS };
}

function endToEndLimit({ answerTokens }: MeasuredModel, shape: DecoderShape, sizes: WorkloadSizes, limits: MachineLimits): number {
  const { examples, completions, promptTokens, sharedTokens } = sizes;
  const rows = examples * completions;
  const reading = prefillLimit(shape, 0, sharedTokens, limits) + examples * prefillLimit(shape, sharedTokens, promptTokens, limits);
  // The prompt's last logits give the first token of each answer.
  const steps = (answerTokens - rows) / rows;
  return reading + steps * decodeLimit(shape, rows, promptTokens + steps / 2, limits).seconds;
}
