import { describe, expect, it } from 'vitest';
import { readToolCalls } from './read-tool-calls.js';

describe('hostile texts', () => {
  const bits = [
    '<tool_call>',
    '<tool_call>\n<function=f>\n<parameter=a>\n',
    '<function=f><parameter=a>x',
    '<parameter=a>',
    '<parameter=a>\n1\n</parameter>\n',
    '</parameter>',
    '<tool_call>{"',
    '<tool_call>{"a":"',
    '{"name":',
    '{"name":"f","arguments":{',
    '{"name":"f","arguments":{}}',
    '[{"name":"f","arguments":{}},',
    '{',
    '[',
    '{}',
    '{"a":[',
    "{'name':",
    '"',
    "'",
    '\\',
    '```tool_call\n',
    '```json\n{',
    ' ',
    '\n',
    '<function=f></function>x',
    '</function>',
    '<|python_tag|>{',
    '<tool_call>{"a":[{"b":"<tool_call>',
  ];

  it.each(bits)('%j takes time in proportion to the length', (bit) => {
    const time = (length: number): number => {
      const text = `say ${bit.repeat(Math.ceil(length / bit.length))}`;
      const rounds = Array.from({ length: 3 }, () => {
        const started = performance.now();
        readToolCalls(text, null);
        return performance.now() - started;
      });
      return Math.min(...rounds);
    };
    time(2_000);
    // Quadratic work would take 64 times as long.
    expect(time(160_000)).toBeLessThan(30 * Math.max(time(20_000), 8));
  });

  it('nests and mixes without end', () => {
    for (const a of bits) for (const b of bits) expect(() => readToolCalls((a + b).repeat(40), null)).not.toThrow();
  });
});
