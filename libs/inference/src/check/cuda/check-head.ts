import { candidateCount, hasSamplingHead } from '../../onnx/graph/sampling-head.js';
import { SlotDecoder } from '../../onnx/decode/slot-decoder.js';
import { type RowLogits } from '../../onnx/decode/row-logits.js';
import { philoxKey } from '../../sampling/philox.js';
import { sampleCandidates } from '../../sampling/sample-candidates.js';
import { sampleToken, type SamplingParameters } from '../../sampling/sampler.js';
import { type ProbedModel } from '../../onnx/probe/probed-model.js';
import { type Finding } from './device-check.js';

const SETTINGS: readonly SamplingParameters[] = [
  { temperature: 0, top_k: 0, top_p: 1 },
  { temperature: 0.8, top_k: 50, top_p: 0.95 },
  { temperature: 0.7, top_k: 0, top_p: 0.9 },
  { temperature: 1.5, top_k: 0, top_p: 1, min_p: 0.05 },
];
const STEPS = 8;
const KEY = philoxKey('1961911680962343893');
const WHAT = 'tokens drawn from candidates are those drawn from all logits';

/** That a step brings candidates in place of all logits, that tokens drawn from them are the same, and how much less it is. */
export async function checkHead(model: ProbedModel, rows: number): Promise<Finding> {
  const { session, layout, rules } = model;
  if (!hasSamplingHead(session)) return { what: WHAT, holds: false, seen: 'the graph has no sampling head' };
  const { feeds } = await model.adapter(null, async () => new Map());
  const run = { adapter: feeds, signal: new AbortController().signal };
  const vocabulary = layout.logits.vocabulary!;
  const decoder = new SlotDecoder(session, layout, rules, { slots: rows, width: 2 * STEPS });
  const settings = Array.from({ length: rows }, (_, row) => SETTINGS[row % SETTINGS.length]!);
  let [draws, decided, differ] = [0, 0, 0];
  const draw = async (logits: RowLogits, row: number, position: number): Promise<number> => {
    const expected = sampleToken(await logits.all(), settings[row]!, KEY, position);
    if (logits.atHand instanceof Float32Array) return expected;
    const token = sampleCandidates(logits.atHand, settings[row]!, KEY, position);
    draws++;
    if (token !== null) decided++;
    if (token !== null && token !== expected) differ++;
    return expected;
  };
  try {
    let tokens: number[] = [];
    for (const [row, { temperature }] of settings.entries()) {
      await decoder.slots.reset(row);
      const prompt = Array.from({ length: 4 }, (_, index) => (row * 31 + index * 7919 + 13) % vocabulary);
      const logits = await decoder.prefill(row, prompt, 0, { temperature }, run);
      await decoder.slots.keepState(row);
      tokens.push(await draw(logits!, row, 0));
    }
    for (let step = 1; step <= STEPS; step++) {
      const appended = settings.map(({ temperature }, row) => ({ token: tokens[row]!, length: 3 + step, temperature }));
      const logits = await decoder.step(appended, run);
      const next: number[] = [];
      for (const [row, each] of logits.entries()) next.push(await draw(each, row, step));
      tokens = next;
    }
  } finally {
    decoder.release();
  }
  const bytes = { head: candidateCount(session) * (4 + 8) + 8, all: vocabulary * (layout.logits.type === 'float16' ? 2 : 4) };
  return {
    what: WHAT,
    holds: differ === 0 && decided > 0,
    seen:
      `${decided} of ${draws} draws took candidates only, ${differ} of them differ; ` +
      `a step of ${rows} rows brings ${kib(rows * bytes.head)} to the host, not ${kib(rows * bytes.all)}`,
  };
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(0)} KiB`;
}
