import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CompletionText, separateThinking } from './completion-text.js';

function stream(start: 'inside' | 'outside', stops: string[], pieces: (string | Uint8Array)[]) {
  const text = new CompletionText(start, stops);
  const thinking = pieces.map((piece) => {
    text.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
    return text.thinking;
  });
  const { rawBytes, ...rest } = text.finish();
  return { ...rest, raw: Buffer.from(rawBytes).toString(), thinking, stopped: text.stopped };
}

describe('CompletionText', () => {
  it('passes an answer without reasoning through', () => {
    expect(stream('outside', [], [' 4', '2'])).toEqual({
      raw: ' 42',
      text: ' 42',
      reasoningText: null,
      unclosedThinking: false,
      thinking: [false, false],
      stopped: false,
    });
  });

  it('separates reasoning that the prompt opened', () => {
    expect(stream('inside', [], ['2+2', '=4</thi', 'nk>\n\n', '4'])).toMatchObject({
      raw: '2+2=4</think>\n\n4',
      reasoningText: '2+2=4',
      text: '4',
      thinking: [true, true, false, false],
    });
  });

  it('separates reasoning that the model opens, even in pieces after white space', () => {
    expect(stream('outside', [], ['\n<th', 'ink>', '\nhm\n', '</think>4'])).toMatchObject({
      reasoningText: 'hm',
      text: '4',
      thinking: [false, true, true, false],
    });
  });

  it('leaves a tag in the middle of an answer alone', () => {
    expect(stream('outside', [], ['Use <think> and </think> tags'])).toMatchObject({
      reasoningText: null,
      text: 'Use <think> and </think> tags',
      unclosedThinking: false,
    });
  });

  it('gives no answer while a thought is open', () => {
    expect(stream('inside', ['\n'], ['I wonder\nif'])).toMatchObject({
      raw: 'I wonder\nif',
      reasoningText: 'I wonder\nif',
      text: '',
      unclosedThinking: true,
      stopped: false,
    });
  });

  it('looks for stop strings in the answer only', () => {
    expect(stream('inside', ['\n'], ['a\nb</think>', '42', '\n', 'more'])).toMatchObject({
      raw: 'a\nb</think>42',
      text: '42',
      stopped: true,
    });
  });

  it('ends reasoning at an XML tool call, and not at a mention of the tag', () => {
    expect(stream('inside', [], ['use <tool_call> then ', '<tool_call>\n', '<func', 'tion=f>'])).toMatchObject({
      reasoningText: 'use <tool_call> then ',
      text: '<tool_call>\n<function=f>',
      thinking: [true, true, true, false],
    });
  });

  it('keeps bytes that are not UTF-8', () => {
    const result = new CompletionText('outside', []);
    result.push(Uint8Array.of(0x41, 0xf0, 0x9f));
    expect(result.finish()).toMatchObject({ rawBytes: Uint8Array.of(0x41, 0xf0, 0x9f), text: 'A\ufffd' });
  });

  it('an unfinished opening tag is answer', () => {
    expect(stream('outside', [], ['<thin'])).toMatchObject({ text: '<thin', reasoningText: null, unclosedThinking: false });
  });

  it('drops an opening tag that the prompt had written already', () => {
    expect(stream('inside', [], ['\n<think>\nhm', '</think>4'])).toMatchObject({ reasoningText: 'hm', text: '4' });
    expect(stream('inside', [], ['so <think> it is</think>4'])).toMatchObject({ reasoningText: 'so <think> it is', text: '4' });
  });

  it('keeps what was forced: a closing tag in pieces ends the thought, and the answer goes on', () => {
    expect(stream('inside', [], ['Okay', '\n</', 'think', '>\n\n', '42'])).toMatchObject({
      reasoningText: 'Okay',
      text: '42',
      thinking: [true, true, true, false, false],
    });
  });

  it('ends reasoning at a tool call in pieces, whatever white space stands between, and at the first of call and tag', () => {
    expect(stream('outside', [], ['<think>a<tool_', 'call>', ' ', '\n\t', '<function=f>'])).toMatchObject({
      reasoningText: 'a',
      text: '<tool_call> \n\t<function=f>',
    });
    expect(stream('inside', [], ['a</think><tool_call><function=f>'])).toMatchObject({
      reasoningText: 'a',
      text: '<tool_call><function=f>',
    });
    expect(stream('inside', [], ['a <tool_call>{"name"</think>b'])).toMatchObject({ reasoningText: 'a <tool_call>{"name"', text: 'b' });
    expect(stream('inside', [], ['a <tool_call><tool_call><function=f>'])).toMatchObject({ text: '<tool_call><function=f>' });
  });

  it.each(['white space', 'a tag and white space', 'line breaks of a thought'])('takes time in proportion to the length: %s', (what) => {
    const [start, first] = {
      'white space': ['outside', ''],
      'a tag and white space': ['inside', '<tool_call>'],
      'line breaks of a thought': ['inside', ''],
    }[what] as ['inside' | 'outside', string];
    const time = (pushes: number): number => {
      const text = new CompletionText(start, []);
      const piece = Buffer.from('\n'.repeat(16));
      const started = performance.now();
      text.push(Buffer.from(first));
      for (let push = 0; push < pushes; push++) text.push(piece);
      text.push(Buffer.from('x'));
      text.finish();
      return performance.now() - started;
    };
    time(1_000);
    // Quadratic work would take 256 times as long.
    expect(time(32_000)).toBeLessThan(100 * Math.max(time(2_000), 3));
  });

  it('does not depend on how the text is cut', () => {
    const part = fc.constantFrom('<think>', '</think>', '<tool_call>', '\n', '<function', 'ab', '<', 'ä', 'END');
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 10 }),
        fc.constantFrom('inside' as const, 'outside' as const),
        fc.integer({ min: 1, max: 7 }),
        (parts, start, size) => {
          const whole = Buffer.from(parts.join(''));
          const pieces: Buffer[] = [];
          for (let at = 0; at < whole.length; at += size) pieces.push(whole.subarray(at, at + size));
          const { thinking: _, ...cut } = stream(start, ['END'], pieces);
          const { thinking: __, ...single } = stream(start, ['END'], [whole]);
          expect(cut).toEqual(single);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('separateThinking', () => {
  it.each([
    ['a</think>b', 'unknown', 'b', 'a', false],
    ['<think>a</think>b', 'unknown', 'b', 'a', false],
    ['<think>a', 'unknown', '', 'a', true],
    ['b', 'unknown', 'b', null, false],
    ['a</think>b', 'outside', 'a</think>b', null, false],
    ['', 'outside', '', null, false],
    ['', 'inside', '', '', true],
    ['Use <think> and </think> tags', 'unknown', 'Use <think> and </think> tags', null, false],
    ['a</think>The <think> tag', 'unknown', 'The <think> tag', 'a', false],
    ['thinking is on', 'inside', '', 'thinking is on', true],
    ['thinking is off', 'outside', 'thinking is off', null, false],
  ] as const)('%j from %s', (raw, start, text, reasoningText, unclosedThinking) => {
    expect(separateThinking(raw, start)).toMatchObject({ text, reasoningText, unclosedThinking });
  });
});
