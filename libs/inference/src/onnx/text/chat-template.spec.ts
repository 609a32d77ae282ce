import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ChatTemplate, TemplateError } from './chat-template.js';

const CONFIG = JSON.parse(readFileSync(new URL('../../../../../models/tiny-arith/tokenizer_config.json', import.meta.url), 'utf8')) as {
  chat_template: string;
};
const template = (text: string, toolUse: string | null = null) => new ChatTemplate({ default: text, toolUse }, { bos_token: '<s>' });
const HELLO = [{ role: 'user' as const, content: 'Hello' }];

describe('ChatTemplate', () => {
  it('renders the tiny model’s conversations', () => {
    const chat = template(CONFIG.chat_template);
    expect(chat.render(HELLO, null, null)).toBe('<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n');
    expect(chat.render(HELLO, [], { enable_thinking: true })).toMatch(/assistant\n<think>$/);
    const tool = { type: 'function', function: { name: 'get_time', parameters: { properties: { city: {}, zone: {} } } } };
    expect(chat.render(HELLO, [tool], null)).toMatch(/^<\|im_start\|>tools\nget_time\(city, zone\)<\|im_end\|>\n/);
  });

  it('gives special tokens, variables and the opened turn', () => {
    expect(template('{{ bos_token }}{{ style }}{{ add_generation_prompt }}').render(HELLO, null, { style: 'x' })).toBe('<s>xtrue');
  });

  it('does not let variables replace the conversation', () => {
    expect(template('{{ messages[0].content }}').render(HELLO, null, { messages: [] })).toBe('Hello');
  });

  it('uses the variant for tools when tools are declared', () => {
    const chat = template('plain', 'tools');
    expect(chat.render(HELLO, null, null)).toBe('plain');
    expect(chat.render(HELLO, [{ name: 'f' }], null)).toBe('tools');
  });

  it('hands tool call arguments over as objects', () => {
    const call = { role: 'assistant' as const, content: '', tool_calls: [{ id: '1', function: { name: 'f', arguments: '{"a": 1}' } }] };
    expect(template('{{ messages[0].tool_calls[0].function.arguments.a }}').render([call], null, null)).toBe('1');
  });

  it('tells the same date every day', () => {
    expect(template('{{ strftime_now("%d %b %Y, %-d") }}').render(HELLO, null, null)).toBe('26 Jul 2024, 26');
  });

  it('reports what the template refuses, and templates that are broken', () => {
    expect(() => template('{{ raise_exception("roles must alternate") }}').render(HELLO, null, null)).toThrow(/roles must alternate/);
    expect(() => template('{% if %}')).toThrow(TemplateError);
  });
});
