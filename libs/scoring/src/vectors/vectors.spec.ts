import { readFileSync } from 'node:fs';
import { type JsonValue } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { readLastNumber, readNumbers } from '../numbers/read-numbers.js';
import { parseDecimal } from '../numbers/decimal.js';
import { kindOf, scoreAnswer } from '../score-answer.fixture.js';

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

/** Peers whose scorer is one of ours under another name; the others are listed in README.md beside this file. */
describe("exact_match and contains by their peers' tests", () => {
  const { peer_cases: cases } = read('exact-match.json') as {
    peer_cases: { peer: string; output: JsonValue; target: JsonValue; result: 0 | 1 }[];
  };
  const text = (value: JsonValue) => (typeof value === 'string' ? value : JSON.stringify(value));
  const scorerOf: Record<string, (target: JsonValue) => object> = {
    'helm.exact_match': () => ({ kind: 'exact_match' }),
    'helm.exact_match_indicator': () => ({ kind: 'exact_match' }),
    'autoevals.ExactMatch': () => ({ kind: 'json_validity' }),
    'openai_evals.includes': (target) => ({ kind: 'contains', phrases: [target].flat() }),
  };
  const comparable = cases.filter(({ peer, output }) => Object.hasOwn(scorerOf, peer) && output !== null);

  it('are most of them', () => {
    expect(comparable).toHaveLength(13);
  });

  it.each(comparable)('$peer: $output against $target gives $result', ({ peer, output, target, result }) => {
    const scorer = peer === 'autoevals.ExactMatch' && typeof output === 'string' ? { kind: 'exact_match' } : scorerOf[peer]?.(target);
    expect(passes(kindOf(scorer ?? {}, text(output), text(target)))).toBe(result === 1);
  });
});

describe('set_check', () => {
  const { cases } = read('sets.json') as {
    cases: { output_set: string[]; reference_set: string[]; mode: string; expected_pass: boolean | null; note: string }[];
  };
  it.each(cases.filter((c) => c.expected_pass !== null))('$output_set is $mode of $reference_set: $expected_pass', (c) => {
    const answer = JSON.stringify(c.output_set);
    const scorer = { kind: 'set_check', mode: c.mode };
    expect(passes(kindOf({ ...scorer, expected_set: c.reference_set }, answer))).toBe(c.expected_pass);
    expect(passes(kindOf(scorer, answer, JSON.stringify(c.reference_set)))).toBe(c.expected_pass);
    const reference = { labels: c.reference_set };
    expect(passes(scoreAnswer({ ...scorer, reference_key: 'labels' }, answer, { reference }).kind)).toBe(c.expected_pass);
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
