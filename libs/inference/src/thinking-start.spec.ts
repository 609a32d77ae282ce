import { describe, expect, it } from 'vitest';
import { thinkingCloseText, thinkingStart } from './thinking-start.js';

describe('thinkingStart', () => {
  it.each([
    ['<|im_start|>assistant\n<think>', 'inside'],
    ['<|im_start|>assistant\n<think>\n', 'inside'],
    ['<|im_start|>assistant\n<think>\n\n</think>\n\n', 'outside'],
    ['<|im_start|>assistant\n', 'outside'],
    ['<|im_start|>user\nWhat is <think>?<|im_end|>\n<|im_start|>assistant\n', 'outside'],
    // a switched-off thought, and what an earlier answer thought
    ['<think>\nold\n</think>\n\nanswer<|im_end|>\n<|im_start|>assistant\n<think>\n', 'inside'],
    ['<think>\nold\n</think>\n\nanswer<|im_end|>\n<|im_start|>assistant\n', 'outside'],
    ['<|im_start|>assistant\n<think></think>', 'outside'],
    ['', 'outside'],
  ] as const)('%j is %s', (prompt, start) => {
    expect(thinkingStart(prompt)).toBe(start);
  });
});

describe('thinkingCloseText', () => {
  it.each([
    ['assistant\n<think>', '7+8=15', '</think>'],
    ['assistant\n<think>\n', 'Okay', '\n</think>\n\n'],
    ['assistant\n', '\nOkay', '\n</think>\n\n'],
    ['assistant\n', 'Okay', '</think>'],
  ])('%j then %j closes with %j', (prompt, reasoning, close) => {
    expect(thinkingCloseText(prompt, reasoning)).toBe(close);
  });
});
