import { describe, expect, it } from 'vitest';
import { promptTokenBound } from './prompt-token-bound.js';

describe('promptTokenBound', () => {
  it('counts UTF-8 bytes of everything the template may write', () => {
    const short = promptTokenBound([{ role: 'user', content: 'añb' }], null);
    expect(short).toBe(64 + 16 + 4);
    expect(promptTokenBound([{ role: 'user', content: 'añb', name: 'Bo' }], [])).toBe(short + 2);
  });

  it('grows with tools and tool calls', () => {
    const messages = [{ role: 'assistant' as const, content: '', tool_calls: [{ name: 'f', arguments: { a: 1 } }] }];
    const bare = promptTokenBound([{ role: 'assistant', content: '' }], null);
    expect(promptTokenBound(messages, null)).toBeGreaterThan(bare + 20);
    expect(promptTokenBound(messages, [{ name: 'f' }])).toBeGreaterThan(promptTokenBound(messages, null) + 512);
  });
});
