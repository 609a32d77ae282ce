import { type MutantKind } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { prove, rowOf, wrongRows } from './prove-suite.fixture.js';

const targets = (...texts: string[]) => texts.map((target) => ({ target }));

describe('a sound scorer has no wrong row', () => {
  it.each<[string, object, { target: string; aliases?: string[] }[]]>([
    ['whole numbers', { kind: 'numeric_tolerance' }, targets('0', '7', '-5', '42', '100', '1000', '123456', '-1234567')],
    ['decimals', { kind: 'numeric_tolerance' }, targets('0.5', '3.14', '-0.001', '1,234.50', '.5', '2.0', '1e3', '-2.5e-3')],
    ['numbers in text', { kind: 'numeric_tolerance', integer_only: true }, targets('$42', '42 apples', '\u22125', '20%', '1')],
    ['numbers with tolerance', { kind: 'numeric_tolerance', atol: 1, rtol: 0.01 }, targets('0', '10', '100', '-42.5')],
    ['long numbers', { kind: 'numeric_tolerance' }, targets('9'.repeat(50), '1e300', `0.${'0'.repeat(40)}1`)],
    ['labels', { kind: 'multiple_choice' }, targets('A', 'B', 'C', 'D', 'b')],
    ['numbers as labels', { kind: 'multiple_choice', choices: ['1', '2', '3', '10', '11'] }, targets('1', '10', '3')],
    ['words as labels', { kind: 'multiple_choice', choices: ['True', 'False', 'Not given'] }, targets('True', 'Not given')],
    ['pronouns as labels', { kind: 'multiple_choice', choices: ['A', 'I'] }, targets('A', 'I')],
    ['signs as labels', { kind: 'multiple_choice', choices: ['[x]', '^', '-'] }, targets('[x]', '^', '-')],
    ['texts', { kind: 'exact_match' }, targets('Paris', 'London', '42', '-5', 'B', "I don't know.", '')],
    ['texts in any case', { kind: 'exact_match', case_sensitive: false, strip_whitespace: false }, targets('Paris', 'PARIS', ' x ')],
    ['texts with aliases', { kind: 'exact_match' }, [{ target: '42', aliases: ['420', '-42', '43', '41', '142'] }]],
    [
      'JSON',
      { kind: 'json_validity' },
      targets('{"a":1,"b":[true,null]}', '[1,2]', '{}', '[]', '5', '"x"', 'null', '{"__proto__":{"a":"b"}}'),
    ],
    ['JSON of long numbers', { kind: 'json_validity' }, targets('{"b":9007199254740993,"a":1e-7}', '[0.1]')],
    ['phrases', { kind: 'contains', phrases: ['Paris', 'City of Light'] }, targets('It is Paris.', 'Paris')],
    ['all phrases', { kind: 'contains', phrases: ['tiny', 'test model'], mode: 'all' }, targets('I am a tiny test model.')],
    ['an anchored pattern', { kind: 'regex', pattern: '^\\s*(-?\\d+)\\s*$', capture_group: 1 }, targets('42', '-7', '1000', '0')],
    ['a pattern with a cue', { kind: 'regex', pattern: 'ANSWER: ([A-D])\\b', capture_group: 1 }, targets('A', 'C', 'D')],
    [
      'exact code',
      { kind: 'code', language: 'py', style: { kind: 'exact_block' } },
      targets('def f(x):\n    return x + 1', '```python\nprint(1)\n```'),
    ],
    ['similar code', { kind: 'code', style: { kind: 'token_similarity' } }, targets('const total = items.length;', 'zz = 1')],
    ['lines of code', { kind: 'code', style: { kind: 'line_coverage' } }, targets('import os\nprint(os.name)')],
    ['sets', { kind: 'set_check', mode: 'equal' }, targets('["a","b"]', 'one', '[1,2,3]')],
    ['subsets', { kind: 'set_check', mode: 'subset', expected_set: ['a', 'b', 'extra'] }, targets('any')],
    ['supersets', { kind: 'set_check', mode: 'superset', expected_set: ['a', 'ax'] }, targets('any')],
    ['two scorers that agree', { kind: 'all', scorers: [{ kind: 'numeric_tolerance' }, { kind: 'exact_match' }] }, targets('42', '-7')],
    ['one scorer of two', { kind: 'any', scorers: [{ kind: 'numeric_tolerance' }, { kind: 'exact_match' }] }, targets('42', '1000')],
    [
      'tool calls',
      { kind: 'tool_call' },
      targets(
        '{"name":"weather","arguments":{"city":"Paris","days":3,"celsius":true}}',
        '{"tool_calls":[{"name":"a","arguments":{"x":1}},{"name":"b","arguments":{"y":{"z":[1,2]},"w":null}}]}',
        '<tool_call>\n<function=run>\n<parameter=command>\ngit status\n</parameter>\n</function>\n</tool_call>',
        '{"name":"now","arguments":{}}',
        '{"name":"long","arguments":{"id":12345678901234567890,"__proto__":"x"}}',
        '{"tool_calls":[]}',
      ),
    ],
    [
      'tool calls in XML',
      { kind: 'tool_call', require_xml_format: true, args: { kind: 'structural' } },
      targets(
        '<tool_call>\n<function=f>\n<parameter=city>\nParis\n</parameter>\n<parameter=n>\n5\n</parameter>\n</function>\n</tool_call>',
      ),
    ],
    [
      'one of several tools',
      { kind: 'tool_call', name_match: { kind: 'one_of', allowed: ['search', 'search_other'] }, args: { kind: 'structural' } },
      targets('{"name":"search","arguments":{"q":"zzq"}}'),
    ],
    ['a pattern behind hashes', { kind: 'regex', pattern: '#### (-?[0-9.,]+)', capture_group: 1 }, targets('18', '-3', '1,000')],
  ])('%s', (_, scorer, examples) => {
    const proof = prove(scorer, examples);
    expect(wrongRows(proof)).toEqual({});
    expect(proof).toMatchObject({ examples: examples.length, examples_tried: examples.length, false_accepts: 0, false_rejects: 0 });
    expect(rowOf(proof, 'target')).toMatchObject({ duty: 'pass', tried: examples.length, passed: examples.length });
  });
});

describe('composites', () => {
  const form = { kind: 'json_schema', schema: true };

  it('owe what their children owe; a child that compares nothing leaves it open what must pass under all', () => {
    const both = prove({ kind: 'all', scorers: [form, { kind: 'json_validity' }] }, targets('{"a":1}'));
    expect(rowOf(both, 'target')).toMatchObject({ duty: 'either', passed: 1, reason: expect.stringContaining('do not agree') });
    expect(rowOf(both, 'times_ten')).toMatchObject({ duty: 'not_pass', tried: 1, passed: 0 });
    const either = prove({ kind: 'any', scorers: [form, { kind: 'json_validity' }] }, targets('{"a":1}'));
    expect(rowOf(either, 'target')).toMatchObject({ duty: 'pass', passed: 1 });
    // The check of form passes it, and nothing says that it should not.
    expect(rowOf(either, 'times_ten')).toMatchObject({ duty: 'either', passed: 1, wrong: 0 });
  });

  it('prove nothing where no child does, or there are too many', () => {
    const many = Array.from({ length: 40 }, () => ({ kind: 'exact_match' }));
    const nested = Array.from({ length: 8 }, () => ({ kind: 'any', scorers: many.slice(0, 8) }));
    for (const scorers of [[], [form], many, nested]) {
      expect(prove({ kind: 'all', scorers }, targets('x')).groups).toMatchObject([{ status: 'nothing_to_compare', rows: [] }]);
    }
  });
});

describe('what is documented, not counted', () => {
  it.each<[string, object, string, MutantKind]>([
    ['a denial that holds the phrase', { kind: 'contains', phrases: ['Paris'] }, 'Paris', 'negation'],
    ['dress of a text', { kind: 'exact_match' }, 'Paris', 'bold'],
    ['dress that a pattern does not read', { kind: 'regex', pattern: '^\\d+$' }, '42', 'fence'],
    ['another spelling of a phrase', { kind: 'contains', phrases: ['1000'] }, '1000', 'thousands_groups'],
    ['members that the mode allows', { kind: 'set_check', mode: 'superset' }, '["a","b"]', 'extra_member'],
  ])('%s', (_, scorer, target, mutant) => {
    const row = rowOf(prove(scorer, targets(target)), mutant);
    expect(row).toMatchObject({ duty: 'either', tried: 1, wrong: 0, first_wrong: null });
    expect(row?.reason).toBeTruthy();
  });
});

describe('a broken scorer shows', () => {
  it.each<[string, object, { target: string }[], Record<string, string>]>([
    [
      'a phrase that is a part of other numbers',
      { kind: 'contains', phrases: ['1'] },
      targets('1'),
      { times_ten: '10', sign_flip: '-1', digit_prefix: '11' },
    ],
    [
      'a phrase of every refusal',
      { kind: 'contains', phrases: ['no'] },
      targets('no'),
      { refusal: "I don't know.", injected_judgment: "I don't know." },
    ],
    [
      'a pattern without anchors',
      { kind: 'regex', pattern: '42' },
      targets('42'),
      { times_ten: '420', sign_flip: '-42', digit_prefix: '142' },
    ],
    ['a capture without its sign', { kind: 'regex', pattern: '(\\d+)', capture_group: 1 }, targets('5'), { sign_flip: '-5' }],
    ['a capture of one digit', { kind: 'regex', pattern: '(\\d)', capture_group: 1 }, targets('5'), { times_ten: '50', sign_flip: '-5' }],
    [
      'a pattern that takes anything',
      { kind: 'regex', pattern: '.' },
      targets('Paris', 'Rome'),
      { refusal: "I don't know.", injected_judgment: "I don't know.", other_answer: 'Rome' },
    ],
    [
      'a pattern that takes nothing too',
      { kind: 'regex', pattern: '^.*$' },
      [{ target: 'B' }],
      { empty: '', another_label: 'C', refusal: "I don't know." },
    ],
    ['a target that its own pattern refuses', { kind: 'regex', pattern: '^\\d+$' }, targets('four'), { target: 'four' }],
    [
      'a similarity that anything has',
      { kind: 'code', style: { kind: 'token_similarity', min_jaccard: 0 } },
      targets('aa = bb()'),
      { other_code: '```' },
    ],
    [
      'any of two of which one is broken',
      { kind: 'any', scorers: [{ kind: 'exact_match' }, { kind: 'regex', pattern: '(\\d+)', capture_group: 1 }] },
      targets('5'),
      { sign_flip: '-5' },
    ],
    ['a target that is no integer', { kind: 'numeric_tolerance', integer_only: true }, targets('0.5'), { target: '0.5' }],
  ])('%s', (_, scorer, examples, wrong) => {
    const proof = prove(scorer, examples);
    const found = wrongRows(proof);
    for (const [mutant, text] of Object.entries(wrong)) expect([mutant, found[mutant]?.split('\n')[0]]).toEqual([mutant, text]);
    expect(proof.false_accepts + proof.false_rejects).toBeGreaterThan(0);
  });
});
