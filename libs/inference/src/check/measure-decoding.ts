import { chunkEnd } from '../onnx/decode/prompt-chunks.js';
import { SlotDecoder } from '../onnx/decode/slot-decoder.js';
import { type Clock, secondsOf } from './clock.js';
import { type ProbedModel } from '../onnx/probe/probed-model.js';

export interface DecodingOptions {
  readonly rows: number;
  /** Tokens of each row before the first step. */
  readonly context: number;
  readonly steps: number;
  /** Columns of a slot; default: as many as are needed. */
  readonly width?: number;
  readonly clock: Clock;
}

/** Seconds of one step of decoding: the least of `steps`, as for the limits, after each row has read a prompt. Sampling is not included. */
export async function measureDecoding(model: ProbedModel, options: DecodingOptions): Promise<number> {
  const { rows, context, steps, clock, width = context + steps + 1 } = options;
  const { session, layout, rules } = model;
  const { feeds } = await model.adapter(null, async () => new Map());
  const decoder = new SlotDecoder(session, layout, rules, { slots: rows, width });
  const run = { adapter: feeds, signal: new AbortController().signal };
  try {
    const tokens = Array.from({ length: context }, (_, index) => (index * 7919 + 13) % layout.logits.vocabulary!);
    await decoder.slots.reset(0);
    for (let start = 0; start < context;) {
      const end = chunkEnd(start, context, rules.chunkTokens);
      await decoder.prefill(0, tokens.slice(start, end), start, end === context ? { temperature: 1 } : null, run);
      start = end;
    }
    await decoder.slots.keepState(0);
    for (let slot = 1; slot < rows; slot++) await decoder.slots.copyPrefix(0, slot, context);
    const next = Array.from({ length: rows }, (_, row) => tokens[row % context]!);
    const times: number[] = [];
    // The first one allocates.
    for (let step = 0; step <= steps; step++) {
      const appended = next.map((token) => ({ token, length: context + step, temperature: 1 }));
      times.push(await secondsOf(clock, () => decoder.step(appended, run)));
    }
    return Math.min(...times.slice(1));
  } finally {
    decoder.release();
  }
}
