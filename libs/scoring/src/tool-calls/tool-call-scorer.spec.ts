import { parseWith, Scorer, type Tool } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { compileExecutedScorer } from '../compile-executed-scorer.js';
import { compileScorerCheck } from '../compile-scorer-check.js';
import { scoringInput } from '../score-answer.fixture.js';
import { type Call, json, score, xml } from './written-calls.fixture.js';

const structural = { args: { kind: 'structural' } };

describe('tool_call', () => {
  it.each<[string, string, string, object, string, number]>([
    ['the same', json(['f', { a: 1 }]), json(['f', { a: 1 }]), {}, 'pass', 1],
    [
      'XML for JSON',
      xml(['f', { a: 1, b: 'x y', c: [1], d: true, e: '00501' }]),
      json(['f', { a: 1, b: 'x y', c: [1], d: true, e: '00501' }]),
      structural,
      'pass',
      1,
    ],
    ['other case', json(['F', {}]), json(['f', {}]), {}, 'pass', 1],
    ['other case, exact', json(['F', {}]), json(['f', {}]), { name_match: { kind: 'exact' } }, 'fail', 0.6],
    ['another name', json(['g', { a: 1 }]), json(['f', { a: 1 }]), {}, 'fail', 0.6],
    ['an allowed name', json(['g', { a: 1 }]), json(['f', { a: 1 }]), { name_match: { kind: 'one_of', allowed: ['f', 'g'] } }, 'pass', 1],
    [
      'a name that is not allowed',
      json(['h', { a: 1 }]),
      json(['f', { a: 1 }]),
      { name_match: { kind: 'one_of', allowed: ['f', 'g'] } },
      'fail',
      0.6,
    ],
    ['no key right', json(['f', { b: 1 }]), json(['f', { a: 1 }]), {}, 'fail', 0.4],
    ['half the keys', json(['f', { a: 1 }]), json(['f', { a: 1, b: 2 }]), {}, 'fail', 0.7],
    ['half the keys, keys_only', json(['f', { a: 9 }]), json(['f', { a: 1, b: 2 }]), { args: { kind: 'keys_only' } }, 'fail', 0.7],
    ['keys_only', json(['f', { a: 9, z: 0 }]), json(['f', { a: 1 }]), { args: { kind: 'keys_only' } }, 'pass', 1],
    ['a wrong number', json(['f', { a: 2 }]), json(['f', { a: 1 }]), {}, 'fail', 0.7],
    ['a close number', json(['f', { a: 1000.9 }]), json(['f', { a: 1000 }]), {}, 'pass', 1],
    ['a close number, structural', json(['f', { a: 1000.9 }]), json(['f', { a: 1000 }]), structural, 'fail', 0.7],
    ['10.0 for 10', '{"name":"f","arguments":{"a":10.0}}', json(['f', { a: 10 }]), structural, 'pass', 1],
    ['text for a number', json(['f', { a: '10' }]), json(['f', { a: 10 }]), {}, 'fail', 0.7],
    ['1 for true', json(['f', { a: 1 }]), json(['f', { a: true }]), {}, 'fail', 0.7],
    ['null for null (C51)', json(['f', { a: null }]), json(['f', { a: null }]), structural, 'pass', 1],
    ['nothing for null', json(['f', {}]), json(['f', { a: null }]), structural, 'fail', 0.4],
    ['an extra argument', json(['f', { a: 1, z: 0 }]), json(['f', { a: 1 }]), {}, 'pass', 1],
    ['an extra argument, structural', json(['f', { a: 1, z: 0 }]), json(['f', { a: 1 }]), structural, 'fail', 0.7],
    ['two of three values', json(['f', { a: 1, b: 2, c: 9 }]), json(['f', { a: 1, b: 2, c: 3 }]), {}, 'pass', 0.9],
    ['exactly 0.8', json(['f', { a: 1, b: 8, c: 9 }]), json(['f', { a: 1, b: 2, c: 3 }]), {}, 'pass', 0.8],
    [
      'weights are relative',
      json(['f', { a: 2 }]),
      json(['f', { a: 1 }]),
      { weights: { name: 2, structure: 1, content: 1 } },
      'fail',
      0.75,
    ],
    ['one call too many (C49)', json(['f', {}], ['delete_all', {}]), json(['f', {}]), {}, 'fail', 0.75],
    ['one too many of three', json(['f', {}], ['f', {}], ['f', {}]), json(['f', {}], ['f', {}]), {}, 'pass', 0.875],
    ['six too many', json(...Array.from({ length: 7 }, (): Call => ['f', {}])), json(['f', {}]), {}, 'fail', 0],
    ['a missing call', json(['f', {}]), json(['f', {}], ['g', {}]), {}, 'fail', 0.5],
    ['two equal calls (C49)', json(['f', {}], ['f', {}]), json(['f', {}], ['f', {}]), {}, 'pass', 1],
    ['another order', json(['g', {}], ['f', {}]), json(['f', {}], ['g', {}]), {}, 'fail', 0.6],
    ['no call', 'I cannot do that.', json(['f', {}]), {}, 'invalid', 0],
    ['a call that is cut off', '<tool_call>\n<function=f>\n<parameter=a>\n1', json(['f', { a: 1 }]), {}, 'invalid', 0],
    ['no call wanted, none made', 'Paris.', '{"tool_calls":[]}', {}, 'pass', 1],
    ['no call wanted, one made', json(['f', {}]), '{"tool_calls":[]}', {}, 'fail', 0],
    ['no call wanted, one begun', '<tool_call>\n<function=f>\n<parameter=a>\n1', '{"tool_calls":[]}', {}, 'fail', 0],
    ['native XML', xml(['f', { a: 1 }]), json(['f', { a: 1 }]), { require_xml_format: true }, 'pass', 1],
    ['JSON where XML is wanted', json(['f', { a: 1 }]), json(['f', { a: 1 }]), { require_xml_format: true }, 'invalid', 0],
    ['repaired XML where XML is wanted', '<function=f></function>', json(['f', {}]), { require_xml_format: true }, 'invalid', 0],
    ['a target in XML', json(['f', { a: 1 }]), xml(['f', { a: 1 }]), structural, 'pass', 1],
    [
      'a target in OpenAI shape',
      xml(['f', { a: 1 }]),
      '{"tool_calls":[{"type":"function","function":{"name":"f","arguments":"{\\"a\\":1}"}}]}',
      structural,
      'pass',
      1,
    ],
    ['a target that is bare', xml(['f', { a: 1 }]), '{"name":"f","parameters":{"a":1}}', structural, 'pass', 1],
    ['an unreadable target', json(['f', {}]), 'call f', {}, 'error', 0],
    [
      'ids of 19 digits',
      '{"name":"f","arguments":{"id":1234567890123456789}}',
      '{"name":"f","arguments":{"id":1234567890123456788}}',
      structural,
      'fail',
      0.7,
    ],
  ])('%s', (_, text, target, config, kind, expected) => {
    const result = score(text, target, config);
    expect(result.kind).toBe(kind);
    expect(result.score).toBeCloseTo(expected, 12);
  });

  it.each<[string, unknown, unknown, number]>([
    ['name', 'paris', 'Paris', 1],
    ['city', 'London', 'Paris', 0],
    // bag of characters: p a r i s and b e r l i n share r and i, of nine
    ['city', 'Berlin', 'Paris', 2 / 9],
    ['amount', '10', '100', 0],
    ['date', '2022-04-28', '2022-04-27', 0],
    ['script', 'git pull', 'git push', 0.35],
    ['Cmd', 'hg push', 'git push', 0.1],
    ['note', '```py\naa = bb\n```', '```py\naa = cc\n```', 0.5],
    // key phrases: "meeting moved", "next tuesday", "noon"
    ['body', 'It was moved: next Tuesday, noon!', 'The meeting moved to next Tuesday at noon', 2 / 3 + 0.05],
    ['body', 'The meeting moved, so come next Tuesday at noon', 'The meeting moved to next Tuesday at noon', 1],
    ['body', 'Nothing of the kind is true', 'The meeting moved to next Tuesday at noon', 0.05],
    ['n', 1001.0001, 1000, 0],
    ['n', 1001, 1000, 1],
    ['n', 0.0000005, 0, 1],
    ['n', true, 1, 0],
    ['list', [1, 2], [2, 1], 0],
    ['map', { a: 1, b: 2 }, { b: 2, a: 1 }, 1],
    ['n', null, 0, 0],
  ])('auto grades %s: %j for %j with %d', (key, predicted, target, content) => {
    const { score: combined } = score(json(['f', { [key]: predicted }]), json(['f', { [key]: target }]));
    expect(combined).toBeCloseTo(0.7 + 0.3 * content, 12);
  });

  it('grades single arguments with scorers of their own', () => {
    const args = {
      kind: 'per_key',
      scorers: {
        n: { kind: 'numeric_tolerance', atol: 1 },
        city: { kind: 'exact_match', case_sensitive: false },
        unused: { kind: 'exact_match' },
      },
      extra_key_penalty: 0.25,
    };
    const target = json(['f', { n: 5, city: 'Paris', free: 'x' }]);
    expect(score(json(['f', { n: 6, city: 'PARIS', free: 'y' }]), target, { args })).toMatchObject({ kind: 'pass', score: 1 });
    expect(score(json(['f', { n: 8, city: 'Paris', free: '' }]), target, { args }).score).toBeCloseTo(0.7 + 0.3 * 0.5, 12);
    expect(score(json(['f', { n: 8, city: 'Paris', free: '', a: 1, b: 2 }]), target, { args }).score).toBeCloseTo(0.7, 12);
    expect(score(json(['f', { city: 'Paris', free: '' }]), target, { args }).score).toBeCloseTo(0.4 + 0.2 + 0.15, 12);
    expect(score(json(['f', { n: {}, city: 'Paris', free: '' }]), target, { args }).score).toBeCloseTo(0.85, 12);
    const bad = { kind: 'per_key', scorers: { n: { kind: 'numeric_tolerance' } } };
    expect(score(json(['f', { n: 1 }]), json(['f', { n: 'x' }]), { args: bad })).toMatchObject({
      kind: 'error',
      detail: { reason: 'argument_not_scored', key: 'n' },
    });
  });

  it('lets judges grade single arguments', async () => {
    const scorer = parseWith(
      Scorer,
      { kind: 'tool_call', args: { kind: 'per_key', scorers: { text: { kind: 'llm_judge', template: 'Is {answer} like {target}?' } } } },
      'scorer',
    );
    const asked: string[] = [];
    const usage = {
      calls: 1,
      prompt_tokens: 2,
      cached_tokens: 0,
      cache_write_tokens: 0,
      completion_tokens: 3,
      cost_usd: '0',
      price_basis: 'free' as const,
      duration_ms: 1,
    };
    const judged = compileExecutedScorer(scorer, {
      askJudge: async ({ messages }) => {
        asked.push(messages.at(-1)!.content);
        return { ok: true, text: 'Score: 0.5', usage };
      },
      runConfined: async () => ({ ok: false, code: 'sandbox_unavailable', message: '' }),
      randomToken: () => 'abc',
    });
    const result = await judged(
      scoringInput(json(['f', { text: 'hello' }], ['f', { text: 'bye' }]), { target: json(['f', { text: 'hi' }], ['f', { text: 'bye' }]) }),
      AbortSignal.timeout(1000),
    );
    expect(asked).toHaveLength(2);
    expect(result).toMatchObject({ kind: 'pass', score: 0.85, usage: { calls: 2, prompt_tokens: 4 } });
  });

  it('takes the best of target and aliases', () => {
    const aliases = [json(['g', { a: 1 }]), json(['h', {}])];
    expect(score(json(['g', { a: 1 }]), json(['f', { a: 1 }]), {}, { aliases })).toMatchObject({
      kind: 'pass',
      score: 1,
      detail: { target: ['g'] },
    });
    expect(score('No.', '{"tool_calls":[]}', {}, { aliases })).toMatchObject({ kind: 'pass', score: 1 });
    expect(score(json(['h', {}]), '{"tool_calls":[]}', {}, { aliases })).toMatchObject({ kind: 'pass', score: 1 });
  });

  it('reads calls behind thinking, and none inside', () => {
    const target = json(['f', {}]);
    const call = '<tool_call>\n<function=f>\n</function>\n</tool_call>';
    expect(score(`<think>Let me see.</think>\n${call}`, target)).toMatchObject({ kind: 'pass' });
    expect(score(`<think>maybe ${call}</think>No tool is needed.`, target)).toMatchObject({
      kind: 'invalid',
      detail: { reason: 'no_tool_call' },
    });
    expect(score(`Use <think> here.\n${call}`, target)).toMatchObject({ kind: 'pass' });
    const unclosed = (rawText: string) => score('', target, {}, { rawText, unclosedThinking: true });
    expect(unclosed('I wonder')).toMatchObject({ kind: 'invalid', detail: { reason: 'unclosed_thinking', target: ['f'], called: [] } });
    expect(unclosed('I could <tool_call> it')).toMatchObject({ kind: 'invalid', detail: { reason: 'unclosed_thinking' } });
    expect(unclosed(`I call it\n${call}`)).toMatchObject({ kind: 'pass' });
    expect(unclosed(`<think>I call it\n${call}`)).toMatchObject({ kind: 'pass' });
  });

  it('takes the calls that an endpoint parsed, whatever its text says', () => {
    const toolCalls = [{ id: '1', type: 'function', function: { name: 'f', arguments: '{"a": 1}' } }];
    const target = json(['f', { a: 1 }]);
    expect(score('', target, {}, { toolCalls })).toMatchObject({ kind: 'pass', detail: { format: 'open_ai', shape: 'endpoint' } });
    expect(score(json(['f', { a: 1 }]), target, {}, { toolCalls: [] })).toMatchObject({ kind: 'invalid' });
    const cut = [{ function: { name: 'f', arguments: '{"a": 1' } }];
    expect(score('', target, {}, { toolCalls: cut })).toMatchObject({ kind: 'fail', score: 0.4 });
  });

  it('says what was read and how it was graded, in few words', () => {
    const tools = [{ name: 'f', parameters: { type: 'object', properties: { a: {}, b: {} }, required: ['a', 'b'] } }] as Tool[];
    expect(
      score(
        `<function=f><parameter=a>1</parameter><parameter=z>2</parameter></function>\n<tool_call>\n{`,
        json(['f', { a: 1, b: 2 }]),
        {},
        { tools },
      ).detail,
    ).toEqual({
      target: ['f'],
      called: ['f'],
      format: 'qwen3_xml',
      shape: 'qwen3_xml',
      repaired: true,
      incomplete: 1,
      missing_required: 1,
      extra_unknown: 1,
      calls: [{ name: 1, structure: 0.5, content: 0.5, missing: ['b'], extra: ['z'] }],
    });
    const many = json(
      ...Array.from({ length: 5000 }, (_, index): Call => [`${'x'.repeat(500)}${index}`, { [`k${'y'.repeat(500)}`]: 'z'.repeat(500) }]),
    );
    expect(JSON.stringify(score(many, many).detail).length).toBeLessThan(16_000);
  });

  it('converts by the schema of the tool', () => {
    const tools = [{ name: 'f', parameters: { type: 'object', properties: { zip: { type: 'string' } } } }] as Tool[];
    const target = json(['f', { zip: '94110' }]);
    expect(score(xml(['f', { zip: '94110' }]), target, structural, { tools })).toMatchObject({ kind: 'pass', score: 1 });
    expect(score(xml(['f', { zip: '94110' }]), target, structural)).toMatchObject({ kind: 'fail' });
  });

  it('grades hostile values in time', () => {
    const bits = [
      'a',
      ' ',
      '\n',
      '.',
      '. ',
      'the ',
      "a'",
      '$(',
      '<<A\n',
      '```',
      'x = ',
      'for a in ',
      'import os\n',
      'os.system("',
      'exec(',
      '-',
      '1',
      'ab cd. ',
    ];
    const started = performance.now();
    for (const key of ['command', 'code', 'body']) {
      for (const bit of bits)
        score(json(['f', { [key]: bit.repeat(200_000 / bit.length) }]), json(['f', { [key]: 'Send the monthly report to Ann at noon' }]));
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it.each<[object, object, string]>([
    [{}, { target: null }, 'examples[0].target: must hold tool calls'],
    [{}, { target: 'call f' }, 'examples[0].target: must hold tool calls'],
    [{}, { target: '<tool_call>\n<function=f>' }, 'examples[0].target: must hold tool calls'],
    [{}, { target: json(['f', {}]), aliases: ['?'] }, 'examples[0].aliases[0]: must hold tool calls'],
    [
      { name_match: { kind: 'one_of', allowed: ['g'] } },
      { target: json(['f', {}]) },
      'examples[0].target: calls "f", which name_match.allowed does not list',
    ],
    [
      { args: { kind: 'per_key', scorers: { n: { kind: 'numeric_tolerance' } } } },
      { target: json(['f', { n: 'x' }]) },
      'examples[0].target: ',
    ],
    [
      { args: { kind: 'per_key', scorers: { n: { kind: 'regex', pattern: '(' } } } },
      { target: json(['f', { n: 'x' }]) },
      'scorer.args.scorers.n.pattern: ',
    ],
  ])('registration refuses %j with %j', (config, example, message) => {
    const check = (): void =>
      compileScorerCheck(parseWith(Scorer, { kind: 'tool_call', ...config }, 'scorer'), 'scorer')(
        { target: null, aliases: [], reference: null, tools: null, ...example } as Parameters<ReturnType<typeof compileScorerCheck>>[0],
        'examples[0]',
      );
    expect(check).toThrow(message);
  });
});
