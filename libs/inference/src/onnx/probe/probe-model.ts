import { type AdapterFeeds } from '../decode/slot-decoder.js';
import { stepSizes } from '../decode/step-sizes.js';
import { type LoraSite } from '../lora/lora-sites.js';
import { madeUpAdapter } from './made-up-adapter.js';
import { type ProbedModel } from './probed-model.js';
import { type AdapterMeasurements, type ProbeMeasurements, type StepMeasurement } from './probe-measurements.js';
import { ProbeRows } from './probe-rows.js';

/** Columns of a probe's slots: fewer than a sample gets where there is room, so that what decodes has no more slots than a probe. */
export const PROBE_WIDTH = 32;
const PROMPT_TOKENS = 20;
const SHORTER = 3;
const RANK = 8;

/**
 * Computes the same in the ways in which it may be computed, and compares the bits. Takes the time of about twenty steps, and the memory of
 * `most` slots of {@link PROBE_WIDTH} tokens; nobody else may use the model meanwhile.
 * @param sites of the graph, for which adapters are made up.
 * @param most rows that will ever be decoded together.
 */
export async function probeModel(
  model: ProbedModel,
  sites: ReadonlyMap<string, LoraSite>,
  most = model.rules.maxRows,
): Promise<ProbeMeasurements> {
  const prompts = probePrompts(model);
  const base = (await model.adapter(null, async () => new Map())).feeds;
  const narrow = await withRows(model, { slots: most, width: PROBE_WIDTH }, base, (rows) => measure(rows, model, prompts, most));
  const few = Math.min(2, most);
  const wide = await withRows(model, { slots: few, width: 2 * PROBE_WIDTH }, base, (rows) => stepOf(rows, prompts, few));
  // Where holes are masked, the width follows from the sample alone.
  const width = model.rules.past === 'holes' ? null : wide === narrow.few;
  const adapter = model.takesAdapters ? await measureAdapter(model, sites, { prompts, most, withoutAdapter: narrow.few }) : null;
  return { ...narrow.measured, width, adapter };
}

interface Prompts {
  readonly own: readonly number[];
  readonly other: readonly number[];
  readonly shorter: readonly number[];
  /** Comes behind a prompt. */
  readonly next: number;
}

interface Narrow {
  readonly measured: Omit<ProbeMeasurements, 'width' | 'adapter'>;
  /** Logits of the first of few rows. */
  readonly few: string;
}

async function measure(rows: ProbeRows, { rules }: ProbedModel, prompts: Prompts, most: number): Promise<Narrow> {
  const { own, other } = prompts;
  const alone = await rows.read(0, own);
  const fewAtLeast = Math.min(2, most);
  const few = await stepOf(rows, prompts, fewAtLeast);
  const repeated = (await rows.read(0, own)) === alone && (await stepOf(rows, prompts, fewAtLeast)) === few;
  const padding = (await behind(rows, other, prompts)) === (await behind(rows, own, prompts));
  const steps = await measureSteps(rows, most, prompts);
  const neighbours = most === 1 ? null : await neighboursAreNothing(rows, most, prompts);
  const maySplit = rules.chunkTokens !== Infinity;
  const chunks = maySplit && own.length >= 4 ? await sameInChunks(rows, prompts, chunkings(own.length)) : null;
  const lastTokenAlone = maySplit ? await sameInChunks(rows, prompts, [[own.length - 1]]) : null;
  return { measured: { finite: rows.isFinite, repeated, padding, neighbours, chunks, lastTokenAlone, steps }, few };
}

/** The shorter prompt and a step behind it, in a slot where a longer one was. */
async function behind(rows: ProbeRows, longer: readonly number[], { shorter, next }: Prompts): Promise<string> {
  await rows.read(0, longer);
  return [await rows.read(0, shorter), ...(await rows.step(1, next))].join();
}

async function measureAdapter(
  model: ProbedModel,
  sites: ReadonlyMap<string, LoraSite>,
  { prompts, most, withoutAdapter }: { prompts: Prompts; most: number; withoutAdapter: string },
): Promise<AdapterMeasurements> {
  const feed = async <T>(rank: number, task: (feeds: AdapterFeeds) => Promise<T>): Promise<T> => {
    const key = `probe of rank ${rank}`;
    const { feeds } = await model.adapter(key, async () => madeUpAdapter(sites, rank));
    try {
      return await task(feeds);
    } finally {
      model.dropAdapter(key);
    }
  };
  const few = Math.min(2, most);
  const none = await feed(0, (feeds) => withRows(model, { slots: few, width: PROBE_WIDTH }, feeds, (rows) => stepOf(rows, prompts, few)));
  const steps = await feed(RANK, (feeds) =>
    withRows(model, { slots: most, width: PROBE_WIDTH }, feeds, (rows) => measureSteps(rows, most, prompts)),
  );
  return { rankZero: none === withoutAdapter, steps };
}

async function measureSteps(rows: ProbeRows, maxRows: number, { own, other, next }: Prompts): Promise<StepMeasurement[]> {
  await rows.read(0, own);
  if (maxRows > 1) await rows.read(1, other);
  for (let slot = 2; slot < maxRows; slot++) await rows.copy(1, slot);
  const steps: StepMeasurement[] = [];
  for (const count of stepSizes(maxRows)) {
    if (count > 1) await rows.copy(0, count - 1);
    const digests = await rows.step(count, next);
    steps.push({ rows: count, first: digests[0]!, last: digests.at(-1)! });
    if (count > 2) await rows.copy(1, count - 1);
    else if (count === 2) await rows.read(1, other);
  }
  return steps;
}

/** Changes what is in all other rows of the largest step, their lengths too. */
async function neighboursAreNothing(rows: ProbeRows, maxRows: number, { own, other, shorter, next }: Prompts): Promise<boolean> {
  const among = async (neighbour: readonly number[]) => {
    await rows.read(0, own);
    await rows.read(1, neighbour);
    for (let slot = 2; slot < maxRows; slot++) await rows.copy(1, slot);
    return (await rows.step(maxRows, next))[0];
  };
  return (await among(other)) === (await among(shorter));
}

async function sameInChunks(rows: ProbeRows, { own, next }: Prompts, cuts: readonly (readonly number[])[]): Promise<boolean> {
  const whole = await rows.read(0, own);
  const [behind] = await rows.step(1, next);
  for (const ends of cuts) {
    if ((await rows.read(0, own, ends)) !== whole) return false;
    if ((await rows.step(1, next))[0] !== behind) return false;
  }
  return true;
}

/** The first of so many rows. */
async function stepOf(rows: ProbeRows, { own, other, next }: Prompts, count: number): Promise<string> {
  await rows.read(0, own);
  if (count > 1) await rows.read(1, other);
  return (await rows.step(count, next))[0]!;
}

/** Cuts of which every chunk has at least two tokens. */
function chunkings(length: number): number[][] {
  const twos = Array.from({ length: Math.floor(length / 2) - 1 }, (_, index) => 2 * (index + 1));
  return [[2], [length - 2], [Math.floor(length / 2)], twos];
}

async function withRows<T>(
  model: ProbedModel,
  shape: { slots: number; width: number },
  adapter: AdapterFeeds,
  task: (rows: ProbeRows) => Promise<T>,
): Promise<T> {
  const rows = new ProbeRows(model, shape, adapter);
  try {
    return await task(rows);
  } finally {
    rows.release();
  }
}

/** Tokens without a meaning, spread over the vocabulary; no longer than what one run may read. */
function probePrompts({ layout, rules }: ProbedModel): Prompts {
  const vocabulary = layout.logits.vocabulary ?? 2;
  const token = (index: number) => (index * 7919 + 13) % vocabulary;
  const length = Math.min(PROMPT_TOKENS, rules.chunkTokens);
  const prompt = (first: number, tokens: number) => Array.from({ length: tokens }, (_, index) => token(first + index));
  return { own: prompt(0, length), other: prompt(100, length), shorter: prompt(200, Math.max(2, length - SHORTER)), next: token(300) };
}
