import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileMemo } from '../../file-memo.js';
import { copyModel, type ModelCopy } from '../../testing/model-copy.fixture.js';
import { MODELS } from '../../testing/onnx-target.fixture.js';
import { quantiseProjections } from '../../testing/quantised-graph.fixture.js';
import { graphSummary } from '../digests.js';
import { readAdapter } from '../load-model.js';
import { readModelDirectory } from '../model-directory.js';
import { openSession } from '../open-session.js';
import { Tokenizer } from '../text/tokenizer.js';
import { Decoder } from './decoder.js';
import { gatherRows } from './kv-cache.js';

let copy: ModelCopy;
const decoders: Decoder[] = [];
beforeEach(async () => (copy = await copyModel()));
afterEach(async () => {
  for (const decoder of decoders.splice(0)) await decoder.release();
  await copy.remove();
});

async function open(
  model: string,
  adapter: string | null = null,
  threads = 1,
): Promise<{ decoder: Decoder; encode: (text: string) => number[] }> {
  const directory = await readModelDirectory(model);
  const summary = await graphSummary(directory, new FileMemo());
  const read = adapter === null ? null : await readAdapter(join(model, 'adapters', adapter));
  const session = await openSession(directory.graphPath, read, summary, threads);
  const decoder = new Decoder(session.session, session.layout, session.adapterFeeds);
  decoders.push(decoder);
  const tokenizer = new Tokenizer(directory.tokenizer);
  return { decoder, encode: (text) => tokenizer.encode(text) };
}

const bits = (logits: Float32Array) => Buffer.from(logits.buffer, logits.byteOffset, logits.byteLength).toString('hex');

/** The logits of the step after each of five prompts of equal length, in groups of the given sizes. */
async function stepInGroups(opened: Awaited<ReturnType<typeof open>>, sizes: number[]): Promise<string[]> {
  const { decoder, encode } = opened;
  const prompts = ['12', '34', '56', '78', '90'].map((digits) =>
    encode(`<|im_start|>user\n${digits} + 11?<|im_end|>\n<|im_start|>assistant\n`),
  );
  const read = [];
  for (const prompt of prompts) read.push(await decoder.prefill(prompt));
  const logits: string[] = [];
  for (const size of sizes) {
    const rows = read.slice(logits.length, logits.length + size).map(({ cache }) => ({ cache, row: 0 }));
    // As decodeGroup does: never fewer than two rows.
    while (rows.length < 2) rows.push(rows[0]!);
    const output = await decoder.step(
      rows.map(() => 55),
      gatherRows(decoder.layout, rows),
    );
    logits.push(...output.logits.slice(0, size).map(bits));
  }
  return logits;
}

describe('Decoder', () => {
  it.each([
    ['plain attention', join(MODELS, 'tiny-arith-plain'), null],
    ['grouped attention', join(MODELS, 'tiny-arith'), null],
    ['a fed adapter', join(MODELS, 'tiny-arith'), 'math-v2'],
  ])('computes a row to the bit alike, whatever else is in the batch: %s', async (_, model, adapter) => {
    const opened = await open(model, adapter);
    const together = await stepInGroups(opened, [5]);
    expect(await stepInGroups(opened, [1, 1, 1, 1, 1])).toEqual(together);
    expect(await stepInGroups(opened, [2, 3])).toEqual(together);
    expect(await stepInGroups(await open(model, adapter, 2), [5])).toEqual(together);
    expect(new Set(together).size).toBe(5);
  });

  it('does so for quantised weights', async () => {
    await copy.editGraph(quantiseProjections);
    const opened = await open(copy.path);
    expect(await stepInGroups(opened, [1, 1, 1, 1, 1])).toEqual(await stepInGroups(opened, [5]));
  });

  it('refuses to gather rows of unequal length', async () => {
    const { decoder, encode } = await open(join(MODELS, 'tiny-arith'));
    const caches = [await decoder.prefill(encode('1 + 1')), await decoder.prefill(encode('11 + 11'))].map(({ cache }) => ({
      cache,
      row: 0,
    }));
    expect(() => gatherRows(decoder.layout, caches)).toThrow(/unequal length/);
  });
});
