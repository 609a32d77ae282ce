import { type Completion } from './completion.js';
import { type Decoder, type DecoderOutput } from './decoder.js';
import { gatherRows, type KvCache } from './kv-cache.js';

/** One completion to be decoded, and what is known of it outside. */
export interface DecodeJob {
  readonly completion: Completion;
  readonly promptTokens: readonly number[];
  /** The caller has given it up. */
  readonly isCancelled: () => boolean;
  /** Called once, when the completion is over; not called when it was cancelled. */
  readonly finish: () => void;
}

export interface DecodeGroupOptions {
  /** Fewest rows per step. 2 where the runtime picks another kernel for a single row, so that neighbours never matter. */
  minRows: number;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  /** Called after each run of the graph. */
  onProgress: () => void;
}

interface Row {
  job: DecodeJob;
  nextToken: number;
}

/**
 * Decodes completions whose prompts have the same number of tokens: each distinct prompt is read once, alone, then all rows
 * advance together, and a row that is over leaves the batch. Nothing is ever padded.
 */
export async function decodeGroup(decoder: Decoder, jobs: readonly DecodeJob[], options: DecodeGroupOptions): Promise<void> {
  const started = await readPrompts(decoder, jobs, options);
  let rows = started.map(({ row }) => row);
  if (rows.length === 0) return;
  let cache = gather(decoder, started, options.minRows);
  while (rows.length > 0) {
    const tokens = rows.map(({ nextToken }) => nextToken);
    while (tokens.length < cache.rows) tokens.push(tokens.at(-1)!);
    const output = await decoder.step(tokens, cache);
    options.onProgress();
    const live = rows.flatMap((row, index) => (advance(row, output.logits[index]!, options) ? [index] : []));
    cache = live.length === rows.length ? output.cache : keepRows(decoder, output, live, options.minRows);
    rows = live.map((index) => rows[index]!);
  }
}

/** Reads the prompts and chooses each first token. Returns the rows that go on, with their caches. */
async function readPrompts(
  decoder: Decoder,
  jobs: readonly DecodeJob[],
  options: DecodeGroupOptions,
): Promise<{ row: Row; cache: KvCache }[]> {
  const read = new Map<string, DecoderOutput>();
  const started: { row: Row; cache: KvCache }[] = [];
  for (const job of jobs) {
    if (job.isCancelled()) continue;
    job.completion.start(options.now());
    const key = job.promptTokens.join(' ');
    let output = read.get(key);
    if (output === undefined) {
      output = await decoder.prefill(job.promptTokens);
      options.onProgress();
      read.set(key, output);
    }
    const row = { job, nextToken: 0 };
    if (advance(row, output.logits[0]!, options)) started.push({ row, cache: output.cache });
  }
  return started;
}

/** Chooses the row's next token; false when it leaves the batch. */
function advance(row: Row, logits: Float32Array, { now }: DecodeGroupOptions): boolean {
  if (row.job.isCancelled()) return false;
  const token = row.job.completion.advance(logits, now());
  if (token === null) {
    row.job.finish();
    return false;
  }
  row.nextToken = token;
  return true;
}

function gather(decoder: Decoder, started: readonly { cache: KvCache }[], minRows: number): KvCache {
  return gatherRows(
    decoder.layout,
    atLeast(
      minRows,
      started.map(({ cache }) => ({ cache, row: 0 })),
    ),
  );
}

function keepRows(decoder: Decoder, { cache }: DecoderOutput, rows: readonly number[], minRows: number): KvCache {
  if (rows.length === 0) return cache;
  return gatherRows(
    decoder.layout,
    atLeast(
      minRows,
      rows.map((row) => ({ cache, row })),
    ),
  );
}

/** Repeats the last row until there are enough; what it computes is thrown away. */
function atLeast<T>(count: number, rows: T[]): T[] {
  return [...rows, ...Array.from({ length: Math.max(0, count - rows.length) }, () => rows.at(-1)!)];
}
