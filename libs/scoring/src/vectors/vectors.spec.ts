import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readLastNumber, readNumbers } from '../numbers/read-numbers.js';
import { parseDecimal } from '../numbers/decimal.js';
import { kindOf } from '../score-answer.fixture.js';

const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const passes = (kind: string) => kind === 'pass';

interface NumericCase {
  id: string;
  output: string;
  target: string;
  last_number: number | string | null;
  atol: number;
  rtol: number;
  integer_only: boolean;
  expected_pass: boolean | null;
  note: string;
}

/** Cases in which our grammar says something else than the vector, each explained in README.md beside this file. */
const NUMBERS_READ_OTHERWISE = new Set(['num-069', 'num-090']);

describe('numeric_extraction', () => {
  const { cases, targets } = read('numeric-extraction.json') as {
    cases: NumericCase[];
    targets: { target: string; valid: boolean; value?: number }[];
  };

  it.each(cases.filter((c) => c.expected_pass !== null))('$id: $output against $target', (c) => {
    const scorer = { kind: 'numeric_tolerance', atol: c.atol, rtol: c.rtol, integer_only: c.integer_only };
    expect(passes(kindOf(scorer, c.output, c.target))).toBe(c.expected_pass);
  });

  it.each(cases.filter((c) => !NUMBERS_READ_OTHERWISE.has(c.id)))('$id: last number of $output is $last_number', (c) => {
    const reading = readLastNumber(c.output);
    const value = reading?.kind === 'number' ? reading.value : null;
    expect(value).toEqual(c.last_number === null ? null : parseDecimal(String(c.last_number)));
  });

  it.each(targets)('target $target is valid: $valid', ({ target, valid, value }) => {
    const numbers = readNumbers(target);
    expect(numbers.length === 1).toBe(valid);
    if (value !== undefined) expect(numbers[0]).toMatchObject({ value: parseDecimal(String(value)) });
  });
});

describe('exact_match', () => {
  const { cases } = read('exact-match.json') as {
    cases: {
      output: string;
      target: string;
      case_sensitive: boolean;
      strip_whitespace: boolean;
      expected_pass: boolean | null;
      note: string;
    }[];
  };
  it.each(cases.filter((c) => c.expected_pass !== null))('$output against $target', (c) => {
    const scorer = { kind: 'exact_match', case_sensitive: c.case_sensitive, strip_whitespace: c.strip_whitespace };
    expect(passes(kindOf(scorer, c.output, c.target))).toBe(c.expected_pass);
  });
});

describe('contains', () => {
  const { cases } = read('contains.json') as {
    cases: { output: string; phrases: string[]; mode: string; case_sensitive: boolean; expected_pass: boolean | null; note: string }[];
  };
  it.each(cases.filter((c) => c.expected_pass !== null))('$phrases in $output', (c) => {
    const scorer = { kind: 'contains', phrases: c.phrases, mode: c.mode, case_sensitive: c.case_sensitive };
    expect(passes(kindOf(scorer, c.output))).toBe(c.expected_pass);
  });
});
