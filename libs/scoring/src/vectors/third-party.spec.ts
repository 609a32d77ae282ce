import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DEFAULT_SCORE_REGEX } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../compile-pattern.js';
import { equalJson } from '../json/equal-json.js';
import { compileJsonPointer } from '../json/json-pointer.js';
import { readJson } from '../json/read-json.js';
import { compileChoiceReader } from '../read-choice.js';
import { kindOf } from '../score-answer.fixture.js';

/** Suites of other projects are read where they lie, never copied: KILN_SHARED, or `shared` beside the repository. */
const shared = process.env['KILN_SHARED'] ?? fileURLToPath(new URL('../../../../../shared', import.meta.url));
const file = (name: string): string => `${shared}/vectors/${name}`;
const read = (name: string) => JSON.parse(readFileSync(file(name), 'utf8'));

/** Cases in which the contract says something else, each explained in README.md beside this file. */
const MATCHED_OTHERWISE = new Set(['{"a":1}{"a":1}']);

describe.skipIf(!existsSync(file('json_validity.json')))('json_validity.json', () => {
  const vectors = existsSync(file('json_validity.json')) ? read('json_validity.json') : null;

  it('accepts and rejects whole documents as RFC 8259 does', () => {
    for (const { name, text, hex, expect: wanted } of vectors.parse_suite.cases) {
      if (wanted === 'implementation_defined') continue;
      // Bytes that are not UTF-8 never reach a scorer; decoding marks them with U+FFFD.
      const source: string = text ?? Buffer.from(hex, 'hex').toString('utf8');
      const reading = readJson(source);
      const whole = reading.kind === 'json' && reading.source.trim() === source.trim();
      expect(whole, name).toBe(wanted === 'accept');
    }
  });

  it('never throws on what is implementation-defined', () => {
    for (const { text, hex } of vectors.parse_suite.cases) {
      const source: string = text ?? Buffer.from(hex, 'hex').toString('utf8');
      const reading = readJson(source);
      if (reading.kind === 'json') expect(equalJson(reading, reading)).toBe(true);
    }
  });

  it('compares answers with targets', () => {
    for (const { output, target, equal } of vectors.json_match) {
      if (equal === null || MATCHED_OTHERWISE.has(output)) continue;
      expect(kindOf({ kind: 'json_validity' }, output, target) === 'pass', `${output} and ${target}`).toBe(equal);
    }
  });

  it('says which texts are JSON', () => {
    for (const { output, rfc8259_valid: valid } of vectors.valid_json)
      expect(kindOf({ kind: 'json_validity' }, output) === 'pass', output).toBe(valid);
  });

  it('resolves JSON Pointers', () => {
    for (const { doc, pointer, exists } of vectors.json_pointer) expect(compileJsonPointer(pointer)(doc), pointer).toBe(exists);
  });
});

describe.skipIf(!existsSync(file('patterns_and_judges.json')))('patterns_and_judges.json', () => {
  const vectors = existsSync(file('patterns_and_judges.json')) ? read('patterns_and_judges.json') : null;

  it('agrees with the peer on every pattern: any group, or all of them', () => {
    for (const { pattern, output, target, result, ignore_case: ignoreCase, match_all: matchAll } of vectors.pattern_scorer) {
      const groups = Array.from(pattern.matchAll(/\(/g), (_, index) => index + 1);
      const scorers = groups.map((group) => ({ kind: 'regex', pattern, capture_group: group, case_sensitive: !ignoreCase }));
      const kind = kindOf({ kind: matchAll ? 'all' : 'any', scorers }, output, target);
      expect(kind === 'pass', `${pattern} in ${output}`).toBe(result === 'correct');
    }
  });

  it('reads the letter of an ANSWER line, and with a pattern its last word or the whole line', () => {
    const readChoice = compileChoiceReader(['A', 'B', 'C', 'D']);
    const patterns: Record<string, string> = {
      word: String.raw`(?is)^.*ANSWER\s*:\s*(\S+?)[.,!]*(?:\s|$)`,
      line: String.raw`(?is)^.*ANSWER\s*:[ \t]*([^\n]+)`,
    };
    for (const { output, target, style, result } of vectors.answer_line) {
      if (style === 'letter') {
        const reading = readChoice(output);
        const outcome = reading.kind !== 'choice' ? 'no_answer' : reading.label === target ? 'correct' : 'incorrect';
        expect(outcome, output).toBe(result);
      } else {
        const kind = kindOf({ kind: 'regex', pattern: patterns[style], capture_group: 1 }, output, target);
        expect(kind === 'pass', output).toBe(result === 'correct');
      }
    }
  });

  it('finds what the default score_regex finds first', () => {
    for (const { judge_text: text, regex, regex_first_match: first } of vectors.kiln_score_regex) {
      expect(regex).toBe(DEFAULT_SCORE_REGEX);
      const pattern = compilePattern(regex, true);
      expect(pattern.kind === 'pattern' && (pattern.capture(text, 1) ?? null), text).toBe(first);
    }
  });
});
