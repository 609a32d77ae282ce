import { describe, expect, it } from 'vitest';
import { parseWith } from '../errors/parse-with.js';
import { Example } from './example.js';

const messages = [{ role: 'user', content: '47 + 138?' }];

describe('Example', () => {
  it('fills everything but the id', () => {
    expect(Example.parse({ messages })).toEqual({
      messages,
      target: null,
      aliases: [],
      tags: [],
      weight: 1,
      metadata: null,
      scorer: null,
      generation: null,
      tools: null,
      split: null,
      category: null,
      notes: null,
      pinned_history: null,
      cluster: null,
      source: null,
      reference: null,
    });
  });

  it('keeps every field that the contract knows, and no other', () => {
    const written = {
      id: 'add',
      messages,
      target: '185',
      aliases: ['185.0'],
      tags: ['math'],
      weight: 0,
      metadata: { level: 1 },
      scorer: { kind: 'contains', phrases: ['5'], mode: 'none', case_sensitive: false, value_expression: null, reference_key: null },
      tools: [],
      split: 'holdout',
      category: 'arithmetic',
      notes: 'carry',
      pinned_history: messages,
      cluster: 'c1',
      source: { dataset: 'd', row: 4, group: 'g', session: 's', conversation: 'c', message: 'm' },
      reference: { steps: [1, 2] },
    };
    expect(Example.parse({ ...written, comment: 'dropped' })).toEqual({ ...written, generation: null });
  });

  it('fills a generation of its own as a whole', () => {
    expect(Example.parse({ messages, generation: { max_tokens: 5 } }).generation).toMatchObject({ max_tokens: 5, temperature: 0, n: 1 });
  });

  it('lets an assistant message that calls tools have no content', () => {
    const call = { type: 'function', function: { name: 'f', arguments: '{}' } };
    for (const content of [undefined, null]) {
      const [message] = Example.parse({ messages: [{ role: 'assistant', content, tool_calls: [call] }] }).messages;
      expect(message).toEqual({ role: 'assistant', content: '', tool_calls: [call] });
    }
  });

  it.each([
    [{}, 'messages: is required'],
    [{ messages: [] }, 'messages: must have at least 1 item'],
    [{ messages: [{ role: 'user' }] }, 'messages[0].content: is required'],
    [{ messages: [{ role: 'user', content: null }] }, 'messages[0].content: expected a string, got null'],
    [{ messages: [{ role: 'assistant', tool_calls: [] }] }, 'messages[0].content: is required'],
    [{ messages: [{ role: 'robot', content: '' }] }, 'messages[0].role: must be one of'],
    [{ messages: [{ role: 'assistant', tool_calls: [{}] }] }, 'messages[0].tool_calls[0]: must have a non-empty'],
    [{ messages, id: '' }, 'id: must not be blank'],
    [{ messages, id: '  ' }, 'id: must not be blank'],
    [{ messages, id: 7 }, 'id: expected a string'],
    [{ messages, id: 'x'.repeat(513) }, 'id: has 513 characters; the limit is 512'],
    [{ messages, target: 185 }, 'target: expected a string, got 185'],
    [{ messages, weight: -1 }, 'weight: must be at least 0'],
    [{ messages, weight: Infinity }, 'weight: must be a finite number'],
    [{ messages, weight: Number.NaN }, 'weight: must be a finite number'],
    [{ messages, tags: [''] }, 'tags[0]: must not be blank'],
    [{ messages, metadata: [] }, 'metadata: expected an object'],
    [{ messages, metadata: { a: ['\0'] } }, 'metadata.a[0]: contains the NUL character'],
    [{ messages, reference: { a: Number.NaN } }, 'reference.a: must be a finite number'],
    [{ messages, target: '\ud83e' }, 'target: contains half of a surrogate pair'],
    [{ messages: [{ role: 'user', content: 'a\0' }] }, 'messages[0].content: contains the NUL character'],
    [{ messages, tools: [{ function: { name: '' } }] }, 'tools[0]: must have a non-empty "function.name" or "name"'],
    [{ messages, source: { row: -1 } }, 'source.row: must be at least 0'],
    [{ messages, scorer: { kind: 'nope' } }, 'scorer.kind: unknown scorer kind "nope"; known kinds: exact_match'],
  ])('refuses %o', (written, message) => {
    expect(() => parseWith(Example, written, 'example')).toThrow(message);
  });
});
