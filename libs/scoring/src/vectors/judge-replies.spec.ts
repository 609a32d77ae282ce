import { DEFAULT_SCORE_REGEX } from '@kiln/contracts';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compilePattern, type Pattern } from '../compile-pattern.js';
import { type Reading } from '../judge/reading.js';
import { PICK_PATTERN, readPick } from '../judge/read-pick.js';
import { readScore } from '../judge/read-score.js';
import { readJudgment } from '../judge/read-judgment.js';

/** Suites of other projects are read where they lie, never copied: KILN_SHARED, or `shared` beside the repository. */
const shared = process.env['KILN_SHARED'] ?? fileURLToPath(new URL('../../../../../shared', import.meta.url));
const path = `${shared}/vectors/patterns_and_judges.json`;

function pattern(source: string): Pattern {
  const compiled = compilePattern(source, true);
  return compiled.kind === 'pattern' ? compiled : expect.fail(compiled.message);
}

const judgmentOf = <V>(reading: Reading<V>): V | null => (reading.kind === 'judgment' ? reading.judgment : null);

describe.skipIf(!existsSync(path))('judges of patterns_and_judges.json', () => {
  const vectors = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;

  it('reads grades as the peer does, but never chooses between two that differ', () => {
    const grade = pattern('(?i)\\bgrade\\s*:\\s*(\\w+)');
    const read = (text: string) => judgmentOf(readJudgment(grade, text, (captured) => (/^[CPI]$/i.test(captured) ? captured : null)));
    for (const { judge_text: text, grade: wanted } of vectors.grade_letter) {
      // The peer lets the last of several judgments count; so does an injected one (C40). See README.md beside this file.
      const grades = new Set(Array.from(text.replace(/\p{Cf}/gu, '').matchAll(/\bgrade\s*:\s*(\w+)/gi), ([, letter]) => letter));
      expect(read(text), text).toBe(grades.size > 1 ? null : wanted);
    }
  });

  it('reads the ratings of MT-Bench as they were published', () => {
    const rating = pattern('\\[\\[(\\d+\\.?\\d*)\\]\\]');
    // The file keeps only the last part of a judgment: some ratings, and the first of two that differ, stood in front of it.
    const whole = vectors.mt_bench_ratings.filter(
      ({ question_id: id, turn, judgment_tail: text, score }: { [field: string]: unknown }) =>
        `${id}/${turn}` !== '159/1' && (score === null || String(text).includes('[[')),
    );
    expect(whole.length).toBeGreaterThan(0.8 * vectors.mt_bench_ratings.length);
    for (const { question_id: id, turn, judgment_tail: text, score } of whole) {
      expect(judgmentOf(readScore(rating, text)), `question ${id}, turn ${turn}`).toBe(score);
    }
  });

  it('finds what score_regex finds, and takes only whole numbers for a score', () => {
    // Two replies that the pattern alone gets wrong: "score: 0,7" is not 0, and emphasis hides "**Score:** 0.9" from it.
    const ours = new Map<string, number | null>([
      ['score: 0,7', null],
      ['**Score:** 0.9', 0.9],
    ]);
    for (const { judge_text: text, regex, regex_first_match: first } of vectors.kiln_score_regex) {
      expect(regex).toBe(DEFAULT_SCORE_REGEX);
      expect(pattern(regex).capture(text, 1) ?? null, text).toBe(first);
      const wanted = ours.has(text) ? ours.get(text) : first === null ? null : Number(first);
      expect(judgmentOf(readScore(pattern(regex), text)), text).toBe(wanted);
    }
  });

  it('reads pairwise picks', () => {
    const picks = pattern(PICK_PATTERN);
    for (const { judge_text: text, winner } of vectors.pairwise) {
      const [word = ''] = winner.split(/[ :]/);
      const wanted = word === 'A' ? 'a' : word === 'B' ? 'b' : word === 'tie' ? 'tie' : null;
      expect(judgmentOf(readPick(picks, text)), text).toBe(wanted);
    }
  });
});
