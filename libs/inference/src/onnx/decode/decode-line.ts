import { KilnError } from '@kiln/contracts';
import { type SampleError } from '../../generator.js';
import { type LoadedModel } from '../loaded-model.js';
import { type ModelLease, type ModelPool } from '../model-pool.js';
import { type ModelSession } from '../model-session.js';
import { type DecodeBatch, type DecodeBatchOptions, type DecodeJob } from './decode-batch.js';
import { type Action, decideNext } from './decide-next.js';
import { type SlotShape } from './kv-slots.js';
import { slotWidth } from './line-width.js';
import { planSlots } from './plan-slots.js';
import { leastRows } from './step-sizes.js';

/** A sample that waits to be decoded. */
export interface LineJob extends DecodeJob {
  readonly model: LoadedModel;
  /** Most tokens that it may generate. */
  readonly maxTokens: number;
}

export interface DecodeLineOptions extends DecodeBatchOptions {
  readonly pool: ModelPool;
  /** Most bytes of slots, over all models. */
  readonly kvCacheBytes: number;
}

interface OpenLine {
  readonly model: LoadedModel;
  readonly lease: ModelLease;
  readonly batch: DecodeBatch;
  /** Samples of the round that have no row yet. */
  joining: LineJob[];
}

/**
 * All samples of a process in one line, and the loop that decodes them. The line is open for one model and adapter at a time, on rows that are
 * refilled as others end. What to do next is decided by {@link decideNext}.
 */
export class DecodeLine {
  readonly #options: DecodeLineOptions;
  #waiting: LineJob[] = [];
  #open: OpenLine | null = null;
  #driving: Promise<void> | null = null;

  constructor(options: DecodeLineOptions) {
    this.#options = options;
  }

  add(jobs: readonly LineJob[]): void {
    this.#waiting.push(...jobs);
    this.#driving ??= this.#drive();
  }

  /** Some samples were cancelled: nothing of them is to be waited for. */
  noteCancelled(): void {
    this.#open?.batch.stopIfUnwanted();
  }

  /** When everything that was added is over. */
  async idle(): Promise<void> {
    while (this.#driving !== null) await this.#driving;
  }

  async #drive(): Promise<void> {
    for (let action = this.#next(); action !== 'idle'; action = this.#next()) await this.#act(action);
    await this.#close();
    this.#driving = null;
    // Some may have been added while the last lease was given back.
    if (this.#waiting.length > 0) this.#driving = this.#drive();
  }

  #next(): Action {
    this.#waiting = withoutCancelled(this.#waiting);
    const open = this.#open;
    if (open !== null) open.joining = withoutCancelled(open.joining);
    const [oldest] = this.#waiting;
    return decideNext({
      finished: open?.batch.finished ?? 0,
      live: open?.batch.live ?? 0,
      room: open?.batch.room ?? 0,
      isReading: open?.batch.isReading ?? false,
      readSinceStep: open?.batch.readSinceStep ?? 0,
      joining: open?.joining.length ?? 0,
      waiting: this.#waiting.length,
      oldestFits: open !== null && oldest !== undefined && fits(oldest, open),
    });
  }

  async #act(action: Exclude<Action, 'idle'>): Promise<void> {
    if (action === 'open') return this.#openFor(this.#waiting[0]!);
    const open = this.#open!;
    const { batch } = open;
    let admitted: LineJob | undefined;
    try {
      switch (action) {
        case 'round':
          return this.#startRound(open);
        case 'admit':
          admitted = open.joining.shift()!;
          return await batch.admit(admitted);
        case 'read':
          return await batch.read();
        case 'step':
          return await batch.step();
        case 'retire':
          return await batch.retire();
      }
    } catch (error) {
      const jobs = new Set<DecodeJob>([...batch.jobs, ...(admitted === undefined ? [] : [admitted])]);
      for (const job of jobs) fail(job, runtimeError(error as Error));
      // Whatever its slots hold now, nobody knows. Those who wait for rows of it join anew.
      this.#waiting.unshift(...open.joining);
      open.lease.session.closeBatch();
      await this.#close();
    }
  }

  async #openFor(oldest: LineJob): Promise<void> {
    await this.#close();
    const { model } = oldest;
    let lease: ModelLease;
    try {
      lease = await this.#options.pool.lease(model);
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      const failure = { code: code ?? 'runtime_failed', message, retryable: code === undefined };
      const isOfModel = (job: LineJob) => job.model === model;
      for (const job of this.#waiting.filter(isOfModel)) fail(job, failure);
      this.#waiting = this.#waiting.filter((job) => !isOfModel(job));
      return;
    }
    const batch = this.#batchFor(oldest, lease);
    if ('code' in batch) {
      this.#waiting = this.#waiting.filter((job) => job !== oldest);
      fail(oldest, batch);
      await lease.release();
      return;
    }
    batch.use(lease.adapter);
    this.#open = { model, lease, batch, joining: [] };
    this.#startRound(this.#open);
  }

  /** Slots for the oldest and whoever can share them; those that are there, with what they hold, if they will do. */
  #batchFor(oldest: LineJob, { session, adapter }: ModelLease): DecodeBatch | SampleError {
    const { pool, kvCacheBytes } = this.#options;
    const { rules, maxBatch, batch } = session;
    const least = leastRows(adapter.minRows, rules);
    const widths = this.#waiting.filter(({ model }) => model === oldest.model).map(widthOf);
    const slotBytes = (width: number) => session.slotBytes(width);
    const demand = { tokens: neededTokens(oldest), widths, leastRows: least };
    const plan = planSlots(demand, { rules, maxBatch, kvCacheBytes, slotBytes, open: batch });
    if (plan === 'keep') return batch!;
    if ('code' in plan) return plan;
    session.closeBatch();
    pool.freeSlots(session, kvCacheBytes - plan.slots * session.slotBytes(plan.width));
    return openBatch(session, plan, least, this.#options);
  }

  /** Those who wait for this model and fit are the next to get rows: prompts that begin alike one after the other, the same ones together. */
  #startRound(open: OpenLine): void {
    const round = this.#waiting.filter((job) => fits(job, open));
    this.#waiting = this.#waiting.filter((job) => !fits(job, open));
    open.joining = round.toSorted((a, b) => compareTokens(a.promptTokens, b.promptTokens));
  }

  async #close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.lease.release();
  }
}

/** As many slots as the memory gives. */
function openBatch(
  session: ModelSession,
  { slots, width }: SlotShape,
  least: number,
  options: DecodeBatchOptions,
): DecodeBatch | SampleError {
  let message = '';
  for (let count = slots; count >= least; count = count === least ? 0 : Math.max(least, Math.floor(count / 2))) {
    try {
      return session.openBatch({ slots: count, width }, options);
    } catch (error) {
      message = (error as Error).message;
    }
  }
  return { code: 'out_of_memory', message: `no memory for keys and values of ${width} tokens: ${message}`, retryable: true };
}

function fits(job: LineJob, { model, batch, lease }: OpenLine): boolean {
  if (job.model !== model) return false;
  return lease.session.rules.past === 'slots' ? neededTokens(job) <= batch.width : widthOf(job) === batch.width;
}

function neededTokens({ promptTokens, maxTokens }: LineJob): number {
  return promptTokens.length + maxTokens;
}

function widthOf(job: LineJob): number {
  return slotWidth(neededTokens(job), job.model.reader.contextTokens);
}

/** Shared prefixes stand together; of two that are alike, the shorter comes first. */
function compareTokens(a: readonly number[], b: readonly number[]): number {
  const end = Math.min(a.length, b.length);
  for (let index = 0; index < end; index++) if (a[index] !== b[index]) return a[index]! - b[index]!;
  return a.length - b.length;
}

function withoutCancelled(jobs: LineJob[]): LineJob[] {
  if (!jobs.some((job) => job.isCancelled())) return jobs;
  return jobs.filter((job) => {
    if (!job.isCancelled()) return true;
    job.finish('cancelled');
    return false;
  });
}

function fail(job: DecodeJob, error: SampleError): void {
  job.completion.fail(error);
  job.finish('over');
}

/**
 * An allocation that failed may succeed when less is decoded at once, as may whatever else went wrong. Weights that were written to are
 * verified when the model is loaded again, which says whether they are still the same.
 */
function runtimeError(error: Error): SampleError {
  const { message } = error;
  if (error instanceof KilnError) return { code: error.code, message, retryable: true };
  const isMemory = /alloc|out of memory|memory exhausted/i.test(message);
  return { code: isMemory ? 'out_of_memory' : 'runtime_failed', message: `the runtime failed: ${message}`, retryable: true };
}
