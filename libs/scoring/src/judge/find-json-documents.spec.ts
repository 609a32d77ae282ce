import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonDocuments } from './find-json-documents.js';

describe('findJsonDocuments', () => {
  it.each([
    ['the whole text', ' {"a":1}\n', [{ a: 1 }]],
    ['a fence with prose around', 'Sure:\n```json\n{"a":1}\n```\nDone.', [{ a: 1 }]],
    ['fences inside a string stay (C42)', 'x {"a":"```json {} ```"}', [{ a: '```json {} ```' }]],
    ['a comment', 'x {"a": 1 // the "first" {\n}', [{ a: 1 }]],
    ['a URL is no comment', 'x {"a": "http://b"}', [{ a: 'http://b' }]],
    ['a trailing comma', '{"a":[1,2, ],}', [{ a: [1, 2] }]],
    ['line breaks inside a string', '{"a":"b\nc\td"}', [{ a: 'b\nc\td' }]],
    ['two objects', '{"a":1} and {"a":2}', [{ a: 1 }, { a: 2 }]],
    ['brackets in prose', '[see below] {"a":1}', [{ a: 1 }]],
    ['a cut-off object', '{"a":[1,2', []],
    ['a cut-off string', '{"a":"b', []],
    ['nothing', 'no braces here', []],
    ['not JSON', "{'a': 1}", []],
    ['slashes', '{"a": 1 / 2}', []],
  ])('%s', (_, reply, documents) => expect(findJsonDocuments(reply)).toEqual(documents));

  it('finds any JSON object between any words', () => {
    const words = fc.stringMatching(/^[a-z ,./*`]*$/);
    fc.assert(
      fc.property(words, fc.dictionary(fc.string(), fc.jsonValue()), words, (before, object, after) => {
        const source = JSON.stringify(object);
        expect(findJsonDocuments(`${before}\n${source}\n${after}`)).toEqual([JSON.parse(source)]);
      }),
    );
  });

  it.each([
    ['open brackets', '['.repeat(300_000)],
    ['nesting', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
    ['open comments', `{${'/* '.repeat(100_000)}`],
    ['commas', `{${', '.repeat(100_000)}`],
    ['blanks after commas', `{${`,${' '.repeat(1_000)}`.repeat(300)}`],
    ['quotes', `{${'"'.repeat(300_001)}`],
    ['small groups', '[x] '.repeat(75_000)],
  ])('takes linear time: %s', (_, reply) => {
    const started = performance.now();
    findJsonDocuments(reply);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
