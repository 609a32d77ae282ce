import { type FrozenModelTarget, Generation } from '@kiln/contracts';
import { type GeneratedTrace } from '../generator.js';
import { OnnxGenerator, type OnnxGeneratorOptions } from '../onnx/onnx-generator.js';

const MAX_TOKENS = 32;
const DEADLINE_MS = 600_000;

/**
 * The likeliest answers to prompts, decoded together as a job would have them decoded.
 * @throws KilnError when the target cannot be loaded; Error when there is no answer
 */
export async function answerGreedily(
  target: FrozenModelTarget,
  prompts: readonly string[],
  options: OnnxGeneratorOptions,
): Promise<GeneratedTrace[]> {
  const generator = new OnnxGenerator(options);
  try {
    await generator.load(target);
    const samples = prompts.map((prompt, index) => ({
      id: String(index),
      target,
      messages: [{ role: 'user' as const, content: prompt }],
      tools: null,
      generation: Generation.parse({ temperature: 0, max_tokens: MAX_TOKENS }),
      seed: '1',
      deadlineMs: DEADLINE_MS,
    }));
    const traces: GeneratedTrace[] = [];
    for await (const result of generator.generate(samples, new AbortController().signal)) {
      if (!result.ok) throw new Error(`no answer to ${JSON.stringify(prompts[Number(result.id)])}: ${result.error.message}`);
      traces[Number(result.id)] = result.trace;
    }
    return traces;
  } finally {
    await generator.close();
  }
}

/** Same bytes, and as many tokens. */
export function sameAnswer(a: GeneratedTrace, b: GeneratedTrace): boolean {
  return Buffer.compare(a.rawBytes, b.rawBytes) === 0 && a.completionTokens === b.completionTokens && a.stopReason === b.stopReason;
}
