import { type GeneratedTrace } from '@kiln/inference';
import { decodeTokenIds } from '@kiln/provenance';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { traceRow } from './trace-row.js';

const encoder = new TextEncoder();

function generated(over: Partial<GeneratedTrace>): GeneratedTrace {
  return {
    rawBytes: encoder.encode('42'),
    tokenIds: null,
    text: '42',
    reasoningText: null,
    unclosedThinking: false,
    thinkingBudget: { applied: false, triggered: false },
    toolCalls: null,
    promptTokens: 1,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    completionTokens: 3,
    tokensEstimated: false,
    latencyMs: 1,
    stopReason: 'stop',
    usd: '0',
    priceBasis: 'free',
    ...over,
  };
}

/** The texts that a stored row gives back. */
function stored(raw: string, text: string, reasoningText: string | null) {
  const row = traceRow('id', generated({ rawBytes: encoder.encode(raw), text, reasoningText }), null);
  const slice = (start: number, end: number): string => new TextDecoder().decode(row.raw.subarray(start, end));
  return {
    answer: slice(row.answerStart, row.answerEnd),
    reasoning: row.reasoningStart === null ? row.steps : slice(row.reasoningStart, row.reasoningEnd!),
  };
}

describe('traceRow', () => {
  it.each([
    ['an empty thought', '<think>\n\n</think>\n\n4', '4', ''],
    ['a thought that the answer repeats', '<think>4</think>4', '4', '4'],
    ['a thought that the answer ends with', '<think>a</think>ba', 'ba', 'a'],
    ['a thought without an answer', '<think>hm', '', 'hm'],
  ])('finds %s', (_, raw, text, reasoning) => {
    expect(stored(raw, text, reasoning)).toEqual({ answer: text, reasoning });
  });

  it('keeps reasoning that came apart, also when the answer says the same', () => {
    for (const reasoning of ['hm', 'Paris', 'Par']) {
      expect(stored('Paris', 'Paris', reasoning)).toEqual({
        answer: 'Paris',
        reasoning: [{ round: 0, role: 'assistant', reasoning, tool_calls: null }],
      });
    }
  });

  it('keeps the ids of its tokens, and knows when there are none', () => {
    const { tokenIds } = traceRow('id', generated({ tokenIds: Uint32Array.of(19, 151645, 0) }), null);
    expect(decodeTokenIds(tokenIds!)).toEqual([19, 151645, 0]);
    expect(traceRow('id', generated({}), null).tokenIds).toBeNull();
  });

  it('refuses ids that are not as many as were counted', () => {
    const contradiction = generated({ tokenIds: Uint32Array.of(19, 20), completionTokens: 3 });
    expect(() => traceRow('id', contradiction, null)).toThrow('the engine counts 3 tokens of a completion, and names 2');
  });

  it('gives back any thought and answer', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '4', ' ', '<', 'ä') });
    fc.assert(
      fc.property(text, text, (reasoning, answer) => {
        expect(stored(`<think>${reasoning}</think>${answer}`, answer, reasoning)).toEqual({ answer, reasoning });
      }),
    );
  });
});
