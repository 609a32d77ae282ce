import { describe, expect, it } from 'vitest';
import { parseWith } from '../errors/parse-with.js';
import { ScorerKind } from './scorer-kind.js';
import { MAX_SCORER_DEPTH, Scorer, childScorers } from './scorer.js';

/** contracts §1.7 and §1.8: what is written, and the defaults that fill it. */
const defaults: [Record<string, unknown>, Record<string, unknown>][] = [
  [{ kind: 'exact_match' }, { case_sensitive: true, strip_whitespace: true }],
  [
    { kind: 'contains', phrases: [] },
    { mode: 'any', case_sensitive: true },
  ],
  [
    { kind: 'regex', pattern: '(\\d+)' },
    { capture_group: null, case_sensitive: true },
  ],
  [{ kind: 'json_validity' }, { require_object: false, required_paths: [] }],
  [{ kind: 'multiple_choice' }, { choices: ['A', 'B', 'C', 'D'] }],
  [{ kind: 'numeric_tolerance' }, { atol: 0, rtol: 0, integer_only: false }],
  [
    { kind: 'llm_judge', template: '{answer}' },
    { judge_adapter: null, score_regex: '(?i)score[:\\s]*([01](?:\\.\\d+)?)' },
  ],
  [
    { kind: 'tool_call' },
    {
      name_match: { kind: 'case_insensitive' },
      args: { kind: 'auto' },
      weights: { name: 0.4, structure: 0.3, content: 0.3 },
      require_xml_format: false,
    },
  ],
  [{ kind: 'code', style: { kind: 'any_block' } }, { language: null }],
  [{ kind: 'python_doctest' }, { timeout_seconds: 5 }],
  [{ kind: 'all', scorers: [] }, {}],
  [{ kind: 'any', scorers: [] }, {}],
];

describe('Scorer', () => {
  it.each(defaults)('fills %o', (written, filled) => {
    expect(Scorer.parse(written)).toEqual({ ...written, ...filled });
  });

  it('knows every kind', () => {
    expect(new Set(defaults.map(([written]) => written['kind']))).toEqual(new Set(ScorerKind.options));
  });

  it('fills nested defaults', () => {
    expect(Scorer.parse({ kind: 'code', style: { kind: 'exact_block' } })).toMatchObject({ style: { strip_comments: false } });
    expect(Scorer.parse({ kind: 'code', style: { kind: 'token_similarity' } })).toMatchObject({ style: { min_jaccard: 0.6 } });
    expect(Scorer.parse({ kind: 'code', style: { kind: 'line_coverage' } })).toMatchObject({ style: { threshold: 0.7 } });
    const perKey = { kind: 'per_key', scorers: { city: { kind: 'any', scorers: [{ kind: 'exact_match' }] } } };
    const parsed = Scorer.parse({ kind: 'tool_call', args: perKey, weights: { name: 1 } });
    expect(parsed).toMatchObject({
      weights: { name: 1, structure: 0.3, content: 0.3 },
      args: { extra_key_penalty: 0, scorers: { city: { scorers: [{ strip_whitespace: true }] } } },
    });
    expect(childScorers(parsed)).toHaveLength(1);
  });

  it('gives each parse its own lists', () => {
    const lists = [0, 1].map(() => Scorer.parse({ kind: 'multiple_choice' }));
    expect(lists[0]).not.toBe(lists[1]);
    expect(lists[0]).toEqual(lists[1]);
  });

  it('drops unknown fields', () => {
    expect(Scorer.parse({ kind: 'python_doctest', shell: true })).toEqual({ kind: 'python_doctest', timeout_seconds: 5 });
  });

  it.each([
    [{ kind: 'bleu' }, 'kind: unknown scorer kind "bleu"; known kinds: exact_match, contains, regex'],
    [{}, 'kind: the scorer has no kind; known kinds: exact_match'],
    [{ kind: 'contains' }, 'phrases: is required'],
    [{ kind: 'contains', phrases: [''] }, 'phrases[0]: must not be empty: every text contains it'],
    [{ kind: 'contains', phrases: ['a'], mode: 'some' }, 'mode: must be one of "any", "all"'],
    [{ kind: 'regex' }, 'pattern: is required'],
    [{ kind: 'regex', pattern: '' }, 'pattern: must have at least 1 character'],
    [{ kind: 'regex', pattern: 'a', capture_group: -1 }, 'capture_group: must be at least 0'],
    [{ kind: 'regex', pattern: 'a', capture_group: true }, 'capture_group: must be the number (0 = whole match) or the name'],
    [{ kind: 'json_validity', required_paths: ['a'] }, 'required_paths[0]: must be a JSON Pointer'],
    [{ kind: 'json_validity', required_paths: ['/a~2'] }, 'required_paths[0]: must be a JSON Pointer'],
    [{ kind: 'multiple_choice', choices: [] }, 'choices: must have at least 1 item'],
    [{ kind: 'multiple_choice', choices: ['a', 'A'] }, 'choices: has a label twice'],
    [{ kind: 'numeric_tolerance', atol: -1 }, 'atol: must be at least 0'],
    [{ kind: 'numeric_tolerance', rtol: Infinity }, 'rtol: must be a finite number'],
    [{ kind: 'python_doctest', timeout_seconds: 0.05 }, 'timeout_seconds: must be at least 0.1'],
    [{ kind: 'tool_call', weights: { name: 0, structure: 0, content: 0 } }, 'weights: must not all be 0'],
    [{ kind: 'tool_call', args: { kind: 'per_key', scorers: { a: { kind: 'x' } } } }, 'args.scorers.a.kind: unknown scorer kind "x"'],
    [{ kind: 'all', scorers: [{ kind: 'any', scorers: [{ kind: 'x' }] }] }, 'scorers[0].scorers[0].kind: unknown scorer kind "x"'],
  ])('refuses %o', (written, message) => {
    expect(() => parseWith(Scorer, written, 'scorer')).toThrow(message);
  });

  it('takes the pointers that RFC 6901 allows', () => {
    const required_paths = ['', '/', '/a/0', '/a~1b', '/m~0n'];
    expect(Scorer.parse({ kind: 'json_validity', required_paths })).toMatchObject({ required_paths });
  });

  it('bounds nesting, however deep', () => {
    const nested = (depth: number): unknown => {
      let scorer: unknown = { kind: 'exact_match' };
      for (let level = 0; level < depth; level += 1) scorer = { kind: 'all', scorers: [scorer] };
      return scorer;
    };
    expect(Scorer.safeParse(nested(MAX_SCORER_DEPTH)).success).toBe(true);
    expect(() => parseWith(Scorer, nested(MAX_SCORER_DEPTH + 1), 'scorer')).toThrow('nests scorers more than 16 deep');
    expect(() => parseWith(Scorer, nested(100_000), 'scorer')).toThrow(/nest/);
  });
});
