import { type Tool } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { readParsedCalls, readToolCalls } from './read-tool-calls.js';
import { type ToolCallReading } from './tool-call.js';

/** name(arguments) of each call, and what else is worth seeing. */
function shown(reading: ToolCallReading): string[] {
  const calls = reading.calls.map(
    (call) =>
      `${call.name}(${JSON.stringify(call.arguments)}) ${call.shape === call.format ? call.format : `${call.format}/${call.shape}`}${call.repaired ? ' repaired' : ''}`,
  );
  return reading.incomplete === 0 ? calls : [...calls, `+${reading.incomplete} incomplete`];
}

const read = (text: string, tools: Tool[] | null = null): string[] => shown(readToolCalls(text, tools));
const tool = (name: string, properties: object, required: string[] = []): Tool =>
  ({
    type: 'function',
    function: { name, parameters: { type: 'object', properties, required } },
  }) as Tool;

describe('readToolCalls reads each shape', () => {
  it.each<[string, string, string[]]>([
    [
      'Qwen XML',
      '<tool_call>\n<function=get>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>',
      ['get({"city":"Paris"}) qwen3_xml'],
    ],
    [
      'several, with prose before',
      'Let me see.\n<tool_call>\n<function=a>\n</function>\n</tool_call>\n<tool_call>\n<function=b>\n<parameter=x>\n1\n</parameter>\n</function>\n</tool_call>',
      ['a({}) qwen3_xml', 'b({"x":1}) qwen3_xml'],
    ],
    [
      'compact XML',
      '<tool_call><function=f><parameter=a>1</parameter><parameter=b>two</parameter></function></tool_call>',
      ['f({"a":1,"b":"two"}) qwen3_xml'],
    ],
    ['Hermes', '<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>', ['f({"a":1}) json_inline/hermes']],
    [
      'Hermes, two',
      '<tool_call>{"name":"f","arguments":{}}</tool_call><tool_call>{"name":"g"}</tool_call>',
      ['f({}) json_inline/hermes', 'g({}) json_inline/hermes'],
    ],
    [
      'XML and Hermes',
      '<tool_call><function=f></function></tool_call><tool_call>{"name":"g"}</tool_call>',
      ['f({}) qwen3_xml', 'g({}) json_inline/hermes'],
    ],
    [
      'Llama',
      '<|python_tag|>{"name": "f", "parameters": {"q": "a; b"}}; {"name": "g", "parameters": {}}<|eom_id|>',
      ['f({"q":"a; b"}) json_inline/llama', 'g({}) json_inline/llama'],
    ],
    [
      'Llama without its tag',
      '{"name": "f", "parameters": {"q": "};{"}}; {"name": "g", "parameters": {}}',
      ['f({"q":"};{"}) json_inline/json', 'g({}) json_inline/json'],
    ],
    ['a list', '[{"name":"f","arguments":{"a":1}},{"name":"g","arguments":{}}]', ['f({"a":1}) json_inline/json', 'g({}) json_inline/json']],
    ['Llama function', '<function=f>{"a": "</function>"}</function>', ['f({"a":"</function>"}) json_inline/llama_function']],
    ['canonical', '{"tool_calls":[{"name":"f","arguments":{"a":1}}]}', ['f({"a":1}) open_ai/json']],
    [
      'OpenAI',
      '{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\\"a\\": 1}"}}]}',
      ['f({"a":1}) open_ai/json'],
    ],
    ['one function', '{"type":"function","function":{"name":"f","arguments":{"a":1}}}', ['f({"a":1}) open_ai/json']],
    ['tool_call', '{"tool_call":{"name":"f","arguments":{"a":1}}}', ['f({"a":1}) json_inline/json']],
    ['input', '{"name":"f","input":{"a":1}}', ['f({"a":1}) json_inline/json']],
    ['fenced', 'Sure:\n```tool_call\n{"name":"f","arguments":{"a":"```"}}\n```', ['f({"a":"```"}) fenced']],
    [
      'fenced JSON, two',
      '```json\n{"name":"f","arguments":{}}\n```\nthen\n```json\n{"name":"g","arguments":{}}\n```',
      ['f({}) fenced', 'g({}) fenced'],
    ],
    ['amid prose', 'I call {"name":"f","arguments":{"a":1}} now.', ['f({"a":1}) json_inline/inline']],
    ['JSON that is no call before one that is', 'Given {"city":"Paris"}, I call {"name":"f","arguments":{}}', ['f({}) json_inline/inline']],
    ['a brace in prose', 'The set {x | x > 0}: {"name":"f","arguments":{}}', ['f({}) json_inline/inline']],
    [
      'only the first of two apart',
      '{"name":"f","arguments":{}} gave nothing, so {"name":"g","arguments":{}}',
      ['f({}) json_inline/inline'],
    ],
    ['no call: data', '{"city":"Paris"}', []],
    ['no call: a name alone', '{"name":"Ada"}', []],
    ['no call: prose', 'There is no tool for that.', []],
    ['no call: a mention', 'Write <tool_call> and then <function=name> to call one.', []],
    [
      'XML before fences',
      '```tool_call\n{"name":"f","arguments":{}}\n```\n<tool_call><function=g></function></tool_call>',
      ['g({}) qwen3_xml'],
    ],
    [
      'XML quoted in JSON',
      '{"name":"f","arguments":{"doc":"<tool_call><function=g><parameter=x>1</parameter></function></tool_call>"}}',
      ['f({"doc":"<tool_call><function=g><parameter=x>1</parameter></function></tool_call>"}) json_inline/json'],
    ],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('takes what an endpoint parsed', () => {
    const calls = [
      { id: '1', type: 'function', function: { name: 'f', arguments: '{"a": 1}' } },
      { name: 'g', arguments: { b: [2] } },
      { type: 'function' },
      'noise',
    ];
    expect(shown(readParsedCalls(calls))).toEqual(['f({"a":1}) open_ai/endpoint', 'g({"b":[2]}) open_ai/endpoint', '+2 incomplete']);
  });

  it('refuses an endpoint’s call that nests without end', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    expect(
      shown(
        readParsedCalls([
          { name: 'f', arguments: { deep } },
          { name: 'g', arguments: {} },
        ]),
      ),
    ).toEqual(['g({}) open_ai/endpoint', '+1 incomplete']);
  });

  it('tells an empty list from silence', () => {
    expect(readToolCalls('{"tool_calls":[]}', null).statesNone).toBe(true);
    expect(readToolCalls('{"tool_calls":"none"}', null).statesNone).toBe(false);
    expect(readToolCalls('No.', null).statesNone).toBe(false);
  });
});

describe('edge cases that servers met', () => {
  it.each<[string, string, string[]]>([
    ['1 no opening tag', '<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>', ['f({"a":1}) qwen3_xml repaired']],
    ['1 no tag at all', 'Now <function=f>\n<parameter=a>\n1\n</parameter>\n</function>', ['f({"a":1}) qwen3_xml repaired']],
    ['1 no closing tag', '<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>', ['f({"a":1}) qwen3_xml repaired']],
    [
      '2 no </parameter> before the next',
      '<tool_call>\n<function=f>\n<parameter=a>\n1\n<parameter=b>\n2\n</parameter>\n</function>\n</tool_call>',
      ['f({"a":1,"b":2}) qwen3_xml repaired'],
    ],
    [
      '2 no </parameter> at the end',
      '<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n<parameter=b>\n2\n</function>\n</tool_call>',
      ['f({"a":1,"b":2}) qwen3_xml repaired'],
    ],
    [
      '2 none, compact',
      '<tool_call><function=f><parameter=a>1<parameter=b>2</function></tool_call>',
      ['f({"a":1,"b":2}) qwen3_xml repaired'],
    ],
    ['2 no </function>', '<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</tool_call>', ['f({"a":1}) qwen3_xml repaired']],
    [
      '3 one line break each side',
      '<tool_call>\n<function=f>\n<parameter=a>\n\n  x = 1\n\n</parameter>\n</function>\n</tool_call>',
      ['f({"a":"\\n  x = 1\\n"}) qwen3_xml'],
    ],
    [
      '3 CRLF',
      '<tool_call>\r\n<function=f>\r\n<parameter=a>\r\nx\r\n</parameter>\r\n</function>\r\n</tool_call>',
      ['f({"a":"x"}) qwen3_xml'],
    ],
    [
      '4 </function> in a value',
      '<tool_call>\n<function=f>\n<parameter=a>\nends with </function> here\n</parameter>\n</function>\n</tool_call>',
      ['f({"a":"ends with </function> here"}) qwen3_xml'],
    ],
    [
      '4 </parameter> in a value',
      '<tool_call>\n<function=f>\n<parameter=a>\nuse </parameter> so\n</parameter>\n</function>\n</tool_call>',
      ['f({"a":"use </parameter> so"}) qwen3_xml'],
    ],
    [
      '4 <parameter=…> in a value',
      '<tool_call>\n<function=f>\n<parameter=a>\nuse <parameter=b> so\n</parameter>\n</function>\n</tool_call>',
      ['f({"a":"use <parameter=b> so"}) qwen3_xml'],
    ],
    [
      '4 a whole parameter in a value',
      '<tool_call>\n<function=f>\n<parameter=a>\n<parameter=b>\n1\n</parameter>\n</parameter>\n<parameter=c>\n2\n</parameter>\n</function>\n</tool_call>',
      ['f({"a":"<parameter=b>\\n1\\n</parameter>","c":2}) qwen3_xml'],
    ],
    [
      '4 whole calls in a value',
      '<tool_call>\n<function=write>\n<parameter=text>\n<tool_call>\n<function=g>\n<parameter=x>\n1\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=h>\n</function>\n</tool_call>\n</parameter>\n<parameter=path>\na.md\n</parameter>\n</function>\n</tool_call>',
      [
        'write({"text":"<tool_call>\\n<function=g>\\n<parameter=x>\\n1\\n</parameter>\\n</function>\\n</tool_call>\\n<tool_call>\\n<function=h>\\n</function>\\n</tool_call>","path":"a.md"}) qwen3_xml',
      ],
    ],
    [
      '4 </tool_call> in a JSON string',
      '<tool_call>\n{"name":"f","arguments":{"a":"</tool_call>"}}\n</tool_call>',
      ['f({"a":"</tool_call>"}) json_inline/hermes'],
    ],
    [
      '5 no line break after the tag',
      '<tool_call><function=f>\n<parameter=a>x\n</parameter>\n</function></tool_call>',
      ['f({"a":"x"}) qwen3_xml'],
    ],
    ['7 cut off in a value', '<tool_call>\n<function=f>\n<parameter=a>\nhalf a val', ['+1 incomplete']],
    ['7 cut off behind a value', '<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n', ['+1 incomplete']],
    ['7 cut off in a tag', '<tool_call>\n<func', ['+1 incomplete']],
    [
      '7 cut off, the others stay',
      '<tool_call><function=f></function></tool_call>\n<tool_call>\n<function=g>\n<parameter=a>\nhalf',
      ['f({}) qwen3_xml', '+1 incomplete'],
    ],
    [
      '7 broken, the others stay',
      '<tool_call>\n<function=f>\n<parameter=a>\nhalf\n<tool_call>\n<function=g>\n<parameter=b>\n2\n</parameter>\n</function>\n</tool_call>',
      ['g({"b":2}) qwen3_xml', '+1 incomplete'],
    ],
    [
      '7 Hermes cut off',
      '<tool_call>{"name":"f","arguments":{}}</tool_call><tool_call>{"name":"g","argum',
      ['f({}) json_inline/hermes', '+1 incomplete'],
    ],
    [
      '7 Hermes broken, the others stay',
      '<tool_call>{"name":"f","arguments":{"a":}}</tool_call>\n<tool_call>{"name":"g","arguments":{}}</tool_call>',
      ['g({}) json_inline/hermes', '+1 incomplete'],
    ],
    [
      '7 Hermes without its last brace',
      '<tool_call>{"name":"f","arguments":{"a":1}</tool_call>\n<tool_call>{"name":"g","arguments":{}}</tool_call>',
      ['g({}) json_inline/hermes', '+1 incomplete'],
    ],
    [
      '7 a list cut off',
      '{"tool_calls":[{"name":"f","arguments":{"a":1}},{"name":"g","argu',
      ['f({"a":1}) json_inline/json repaired', '+1 incomplete'],
    ],
    [
      '7 a list with a broken entry',
      '[{"name":"f","arguments":{"a":oops}},{"name":"g","arguments":{}}]',
      ['g({}) json_inline/json repaired', '+1 incomplete'],
    ],
    ['7 JSON cut off', '{"name":"f","arguments":{"a":1', ['+1 incomplete']],
    [
      '7 a broken object amid prose',
      'so {"name":"f","arguments":{ and {"name":"g","arguments":{}}',
      ['g({}) json_inline/inline', '+1 incomplete'],
    ],
    ['7 a cut-off object amid prose', 'so {"name":"f","arguments":{"q":"a {}', ['+1 incomplete']],
    ['8 arguments as text', '{"name":"f","arguments":"{\\"a\\":1}"}', ['f({"a":1}) json_inline/json']],
    ['8 encoded twice', '{"name":"f","arguments":"\\"{\\\\\\"a\\\\\\":1}\\""}', ['f({"a":1}) json_inline/json']],
    ['8 twice the same object', '{"name":"f","arguments":"{\\"a\\":1}{\\"a\\":1}"}', ['f({"a":1}) json_inline/json repaired']],
    ['8 no object', '{"name":"f","arguments":[1]}', ['f({"args":[1]}) json_inline/json']],
    ['8 null', '{"name":"f","arguments":null}', ['f({}) json_inline/json']],
    [
      '8 nested objects stay nested',
      '<tool_call>{"name":"f","arguments":{"a":{"b":{"c":[{}]}}}}</tool_call>',
      ['f({"a":{"b":{"c":[{}]}}}) json_inline/hermes'],
    ],
    ['10 a name alone in a fence is data', '```json\n{"name":"Ada","age":36}\n```', []],
    ['stray quotes (C52)', '{"name":"f","arguments":"{}\\"\\""}', ['f({}) json_inline/json repaired']],
    [
      'Python instead of JSON',
      "<tool_call>{'name': 'f', 'arguments': {'a': True}}</tool_call>",
      ['f({"a":true}) json_inline/hermes repaired'],
    ],
    [
      'prose between parameters',
      '<tool_call><function=f><parameter=a>1</parameter> and <parameter=b>2</parameter></function></tool_call>',
      ['f({"a":1,"b":2}) qwen3_xml repaired'],
    ],
    [
      'keys of the prototype',
      '{"name":"constructor","arguments":{"__proto__":{"x":1},"toString":2}}',
      ['constructor({"__proto__":{"x":1},"toString":2}) json_inline/json'],
    ],
    ['no inherited envelope', '{"toString":1}', []],
    ['data that is cut off', '{"item": {"name": "Sample", "value": 1', []],
    ['broken data', 'so {"name": "Sample", value: 1}', []],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('6 converts XML values without a schema as the contract says', () => {
    const values = {
      a: '00501',
      b: '42',
      c: '-1.5e3',
      d: 'True',
      e: 'null',
      f: '{"k": [1]}',
      g: "{'k': None}",
      h: '{broken',
      i: '1 2',
      j: '',
      k: 'none',
      l: '9007199254740993',
    };
    const text = `<tool_call>\n<function=f>\n${Object.entries(values)
      .map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`)
      .join('')}</function>\n</tool_call>`;
    expect(readToolCalls(text, null).calls[0]?.arguments).toEqual({
      a: '00501',
      b: 42,
      c: -1500,
      d: true,
      e: null,
      f: { k: [1] },
      g: { k: null },
      h: '{broken',
      i: '1 2',
      j: '',
      k: 'none',
      l: 9007199254740993n,
    });
  });

  it.each<[object, string, unknown]>([
    [{ type: 'string' }, 'null', 'null'],
    [{ type: 'string' }, '42', '42'],
    [{ type: 'string' }, '{"a":1}', '{"a":1}'],
    [{ type: ['string', 'null'] }, 'None', null],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'null', null],
    [{ type: 'string', nullable: true }, 'null', null],
    [{ type: 'float' }, 'null', null],
    [{ type: 'array' }, 'None', null],
    [{ type: 'integer' }, '5', 5],
    [{ type: 'integer' }, 'None', null],
    [{ type: 'integer' }, '5.0', 5],
    [{ type: 'integer' }, '5.5', '5.5'],
    [{ type: 'integer' }, 'many', 'many'],
    [{ type: 'integer' }, '9007199254740993', 9007199254740993n],
    [{ type: 'float' }, '3.14', 3.14],
    [{ type: 'number' }, '3', 3],
    [{ type: 'number' }, 'NaN', 'NaN'],
    [{ type: 'boolean' }, 'TRUE', true],
    [{ type: 'boolean' }, 'yes', 'yes'],
    [{ type: 'object' }, "{'a': True}", { a: true }],
    [{ type: 'dict' }, '"{\\"a\\": 1}"', { a: 1 }],
    [{ type: 'object' }, '[1]', '[1]'],
    [{ type: 'array' }, '[1, "x"]', [1, 'x']],
    [{ anyOf: [{ type: 'integer' }, { type: 'boolean' }] }, 'true', true],
    [{ type: ['integer', 'string'] }, '5', 5],
    [{ $ref: '#/$defs/x' }, '5', 5],
    [{}, '00501', '00501'],
  ])('6 by the schema %j: %s', (schema, raw, expected) => {
    const text = `<tool_call>\n<function=F>\n<parameter=v>\n${raw}\n</parameter>\n</function>\n</tool_call>`;
    expect(readToolCalls(text, [tool('f', { v: schema })]).calls[0]?.arguments).toEqual({ v: expected });
  });

  it('4 only a known parameter ends a value whose end is missing', () => {
    const text = '<tool_call>\n<function=f>\n<parameter=a>\n<parameter=zzz>\n1\n<parameter=b>\n2\n</parameter>\n</function>\n</tool_call>';
    expect(read(text, [tool('f', { a: { type: 'string' }, b: {} })])).toEqual(['f({"a":"<parameter=zzz>\\n1","b":2}) qwen3_xml repaired']);
  });

  it('10 JSON that names a declared tool goes before JSON that does not', () => {
    const text = 'User {"name":"Ada","input":"x"} wants {"name":"f","arguments":{}}';
    expect(read(text)).toEqual(['Ada({"args":"x"}) json_inline/inline']);
    expect(read(text, [tool('f', {})])).toEqual(['f({}) json_inline/inline']);
    expect(read('I call {"name":"invented","arguments":{}}', [tool('f', {})])).toEqual(['invented({}) json_inline/inline']);
  });
});
