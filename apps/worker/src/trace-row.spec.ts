import { type GeneratedTrace } from '@kiln/inference';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { traceRow } from './trace-row.js';

const encoder = new TextEncoder();

/** The texts that a stored row gives back. */
function stored(raw: string, text: string, reasoningText: string | null) {
  const rawBytes = encoder.encode(raw);
  const row = traceRow(
    'id',
    { rawBytes, text, reasoningText, unclosedThinking: false, toolCalls: null, thinkingBudget: {}, usd: '0' } as unknown as GeneratedTrace,
    null,
  );
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

  it('gives back any thought and answer', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '4', ' ', '<', 'ä') });
    fc.assert(
      fc.property(text, text, (reasoning, answer) => {
        expect(stored(`<think>${reasoning}</think>${answer}`, answer, reasoning)).toEqual({ answer, reasoning });
      }),
    );
  });
});
