import { describe, expect, it } from 'vitest';
import { parseExampleLine } from './parse-example-line.js';
import { parseSuiteDocument, parseSuiteFiles } from './parse-suite-document.js';
import { parseSuiteHeader } from './parse-suite-header.js';
import { errorOf, writtenExample, writtenSuite } from './suite-text.fixture.js';

const parse = (changes: object = {}) => parseSuiteDocument(JSON.stringify(writtenSuite(changes)), 'json');
const messageOf = (changes: object): string => errorOf(() => parse(changes)).message;
const add = (changes: object = {}) => writtenExample('add', '47 + 138?', '185', changes);

describe('parseSuiteDocument', () => {
  it('reads a suite and fills every default', () => {
    const { header, examples } = parse();
    expect(header).toMatchObject({
      name: 'math-smoke',
      aggregation: { kind: 'single' },
      generation: { n: 1, max_tokens: 256 },
      tools: null,
    });
    expect('examples' in header).toBe(false);
    expect(examples.map(({ id, weight, tags }) => [id, weight, tags])).toEqual([
      ['add', 1, []],
      ['multiply', 1, []],
    ]);
  });

  it('derives missing ids', () => {
    expect(parse({ examples: [writtenExample(undefined, '47 + 138?', '185')] }).examples[0]?.id).toBe('0f541589f4750d67');
  });

  it.each([
    [
      'duplicate ids',
      { examples: [add(), writtenExample('b', 'x', '1'), add()] },
      'examples[2].id duplicates examples[0].id "add"; give each example its own id',
    ],
    [
      'duplicate derived ids',
      { examples: [writtenExample(undefined, 'x', '1'), writtenExample(undefined, 'x', '1')] },
      /^examples\[1\] has the same messages, target and aliases as examples\[0\], so both get the id "[0-9a-f]{16}"; remove one, or give each its own id$/,
    ],
    ['an empty id', { examples: [{ ...add(), id: '' }] }, /^examples\[0\]\.id: must not be blank/],
    ['no examples', { examples: [] }, /^examples: must have at least 1 item/],
    ['no messages', { examples: [add({ messages: [] })] }, /^examples\[0\]\.messages: must have at least 1 item/],
    ['n without an aggregation', { generation: { n: 4 } }, /^generation\.n: is 4, but the aggregation single takes exactly 1 completion/],
    ['an even majority', { aggregation: { kind: 'majority_at_k', k: 4 }, generation: { n: 4 } }, /^aggregation\.k: must be odd/],
    ['K above 128', { aggregation: { kind: 'pass_at_k', k: 129 } }, /^aggregation\.k: must be at most 128/],
    ['an unknown aggregation field', { aggregation: { kind: 'single', k: 1 } }, /^aggregation: unknown field "k"/],
    [
      'version 1 with several completions',
      { schema_version: 1, aggregation: { kind: 'pass_at_k', k: 2 }, generation: { n: 2 } },
      /schema_version 1 allows only/,
    ],
    [
      'version 1 with n = 2 in an example',
      { schema_version: 1, examples: [add({ generation: { n: 2 } })] },
      /^examples\[0\]\.generation\.n: is 2/,
    ],
    ['an unknown version', { schema_version: 3 }, /^schema_version: /],
    ['an unknown scorer', { default_scorer: { kind: 'vibes' } }, /^default_scorer.*exact_match/],
    ['a path as its name', { name: '../etc' }, /^name: must not contain/],
    ['a blank name', { name: ' ' }, /^name: must not be blank/],
    ['a negative weight', { examples: [add({ weight: -1 })] }, /^examples\[0\]\.weight: must be at least 0/],
    [
      'NUL in a message',
      { examples: [writtenExample('a', 'x\u0000', '1')] },
      /^examples\[0\]\.messages\[0\]\.content: contains the NUL character/,
    ],
    ['NUL in a key of metadata', { examples: [add({ metadata: { deep: [{ 'k\u0000': 1 }] } })] }, /^examples\[0\]\.metadata.*NUL/],
    [
      'half a surrogate pair',
      { examples: [writtenExample('a', 'x', '\ud800')] },
      /^examples\[0\]\.target: contains half of a surrogate pair/,
    ],
    ['a tool without a name', { tools: [{ type: 'function' }] }, /^tools\[0\]: must have a non-empty/],
    ['a seed above 2^64-1', { generation: { seed: '18446744073709551616' } }, /^generation\.seed: .*2\^64-1/],
  ])('refuses %s', (_, changes, message) => {
    const text = messageOf(changes);
    if (typeof message === 'string') expect(text).toBe(message);
    else expect(text).toMatch(message);
  });

  it('refuses non-finite numbers, which JSON can still spell', () => {
    const text = JSON.stringify(writtenSuite({ examples: [add({ weight: 7777 })] })).replace('7777', '1e999');
    expect(errorOf(() => parseSuiteDocument(text, 'json')).message).toMatch(/^examples\[0\]\.weight: /);
    const metadata = JSON.stringify(writtenSuite({ examples: [add({ metadata: { a: 7777 } })] })).replace('7777', '-1e999');
    expect(errorOf(() => parseSuiteDocument(metadata, 'json')).message).toMatch(/^examples\[0\]\.metadata\.a: must be a finite number/);
  });

  it('says where JSON is broken', () => {
    expect(errorOf(() => parseSuiteDocument('{\n "name": "x",\n "examples": [}\n', 'json')).message).toMatch(
      /^suite: not valid JSON: expected a value or "\]" at line 3, column 15$/,
    );
    expect(errorOf(() => parseSuiteDocument('', 'json')).message).toMatch(/^suite: not valid JSON: expected a value at column 1$/);
    expect(errorOf(() => parseSuiteDocument('[1]', 'json')).message).toMatch(/^suite: /);
  });

  it('survives hostile nesting', () => {
    const deep = `${'['.repeat(100_000)}1${']'.repeat(100_000)}`;
    expect(
      errorOf(() =>
        parseSuiteDocument(
          JSON.stringify(writtenSuite({ examples: [add({ metadata: { a: 1 } })] })).replace('{"a":1}', `{"a":${deep}}`),
          'json',
        ),
      ).message,
    ).toMatch(/nested deeper/);
    expect(errorOf(() => parseSuiteDocument(deep, 'json')).message).toMatch(/^suite: /);
  });

  it('ignores a byte order mark', () => {
    expect(parseSuiteDocument(`\ufeff${JSON.stringify(writtenSuite())}`, 'json').examples).toHaveLength(2);
  });

  it('passes scorer checks on', () => {
    const compileScorerCheck = () => () => {
      throw new RangeError('checked');
    };
    expect(() => parseSuiteDocument(JSON.stringify(writtenSuite()), 'json', { compileScorerCheck })).toThrow('checked');
  });
});

describe('parseSuiteFiles', () => {
  const { examples: written, ...head } = writtenSuite() as { examples: object[] };
  const lines = written.map((one) => JSON.stringify(one));

  it('reads header and examples, skipping blank lines', () => {
    const { header, examples } = parseSuiteFiles(JSON.stringify(head), `\ufeff${lines[0]}\r\n\r\n  \n${lines[1]}\n`);
    expect(header.name).toBe('math-smoke');
    expect(examples.map(({ id }) => id)).toEqual(['add', 'multiply']);
  });

  it('counts blank lines in its messages', () => {
    expect(errorOf(() => parseSuiteFiles(JSON.stringify(head), `${lines[0]}\n\n${lines[0]}\n`)).message).toBe(
      'line 3: id duplicates line 1: id "add"; give each example its own id',
    );
    expect(errorOf(() => parseSuiteFiles(JSON.stringify(head), `\n{"messages": []}\n`))).toMatchObject({
      path: 'line 2: messages',
      message: expect.stringMatching(/^line 2: messages: must have at least 1 item/),
    });
    expect(errorOf(() => parseSuiteFiles(JSON.stringify(head), `\n\n{"messages": [}\n`)).message).toMatch(
      /^line 3: not valid JSON: expected a value or "\]" at column 15$/,
    );
  });

  it('refuses a header with examples of its own', () => {
    expect(errorOf(() => parseSuiteFiles(JSON.stringify(writtenSuite()), lines.join('\n')))).toMatchObject({ path: 'examples' });
    expect(errorOf(() => parseSuiteHeader({ ...head, examples: [] })).message).toMatch(/^examples: a header beside JSONL/);
  });

  it('refuses a suite without a single example', () => {
    expect(errorOf(() => parseSuiteFiles(JSON.stringify(head), '\n \n')).message).toBe('examples: the suite has no examples');
  });
});

describe('parseExampleLine', () => {
  it('gives null for a blank line and an example otherwise', () => {
    expect(parseExampleLine('  \r', 4)).toBeNull();
    expect(parseExampleLine('{"messages":[{"role":"user","content":"q"}]}', 4)).toMatchObject({ target: null, aliases: [] });
  });

  it.each(['[]', '"text"', '1', 'null'])('refuses %s', (line) => {
    expect(errorOf(() => parseExampleLine(line, 4)).message).toMatch(/^line 4: /);
  });
});
