import { describe, expect, it } from 'vitest';
import { readChatResponse } from './chat-response.js';

const read = (message: object, finish = 'stop') => readChatResponse(JSON.stringify({ choices: [{ message, finish_reason: finish }] }));

describe('readChatResponse', () => {
  it.each<[string, object, string, object]>([
    ['between tags', { content: '<think>hm</think>\n4' }, 'stop', { text: '4', reasoningText: 'hm', unclosedThinking: false }],
    ['opened in the prompt', { content: 'hm</think>\n4' }, 'stop', { text: '4', reasoningText: 'hm', unclosedThinking: false }],
    ['cut off between tags', { content: '<think>hm' }, 'length', { text: '', reasoningText: 'hm', unclosedThinking: true }],
    ['apart', { content: '4', reasoning_content: 'hm' }, 'stop', { text: '4', reasoningText: 'hm', unclosedThinking: false }],
    [
      'apart, the answer speaks of tags',
      { content: 'End it with </think>.', reasoning: 'hm' },
      'stop',
      { text: 'End it with </think>.', reasoningText: 'hm' },
    ],
    ['apart and cut off', { content: null, reasoning_content: 'hm' }, 'length', { text: '', reasoningText: 'hm', unclosedThinking: true }],
    [
      'apart, and an empty answer',
      { content: '', reasoning_content: 'hm' },
      'stop',
      { text: '', reasoningText: 'hm', unclosedThinking: false },
    ],
    [
      'apart, and a call',
      { content: null, reasoning_content: 'hm', tool_calls: [{}] },
      'length',
      { unclosedThinking: false, toolCalls: [{}] },
    ],
    ['none', { content: '4', reasoning_content: '' }, 'stop', { text: '4', reasoningText: null, unclosedThinking: false, toolCalls: null }],
  ])('reads reasoning %s', (_, message, finish, expected) => {
    expect(read(message, finish)).toMatchObject(expected);
  });
});
