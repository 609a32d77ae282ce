import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jsonl, NO_PORTS } from './check-tiny-rows.fixture.js';
import { DATA_SETS } from './data-sets.js';
import { reportText } from './report.js';
import { conforms, runConformance } from './run-conformance.js';
import { TINY_ROWS } from './tiny-rows.fixture.js';

describe('runConformance', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kiln-conformance-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const run = (...names: string[]) =>
    runConformance({
      folder,
      dataSets: DATA_SETS.filter(({ name }) => names.includes(name)),
      ports: NO_PORTS,
      withoutCode: 'no sandbox',
      onProgress: () => {},
    });
  const put = (file: string, rows: readonly object[]) => writeFile(path.join(folder, file), jsonl(rows));

  it('checks what is there and says why it skips the rest', async () => {
    await put('gsm8k_test.jsonl', TINY_ROWS['gsm8k']!.rows);
    await put('humaneval.jsonl', TINY_ROWS['humaneval_tests']!.rows);
    await put('aider_edit_leaderboard.jsonl', [{ model: 'm' }]);
    const outcomes = await run('gsm8k', 'svamp', 'humaneval_tests', 'aider_leaderboard');
    expect(outcomes.map(({ name, status }) => [name, status])).toEqual([
      ['gsm8k', 'checked'],
      ['svamp', 'skipped'],
      ['humaneval_tests', 'skipped'],
      ['aider_leaderboard', 'no suite'],
    ]);
    expect(conforms(outcomes)).toBe(true);
    const text = reportText(outcomes);
    expect(text).toMatch(/^gsm8k +2 +2 +0 +4\/4 +2\/2 +0 +0 {2}numeric_tolerance$/m);
    expect(text).toContain('svamp: skipped: svamp.jsonl is absent\n');
    expect(text).toContain('humaneval_tests: skipped: no sandbox\n');
  });

  it('goes on after a data set that is refused, and does not conform', async () => {
    await put('gsm8k_test.jsonl', [{ id: 'g1', question: '?', answer: '#### many' }]);
    await put('svamp.jsonl', TINY_ROWS['svamp']!.rows);
    const outcomes = await run('gsm8k', 'svamp');
    expect(outcomes.map(({ status }) => status)).toEqual(['refused', 'checked']);
    expect(conforms(outcomes)).toBe(false);
  });

  it('does not conform while something is unexplained, and says what', async () => {
    await put('mmlu_stem.jsonl', TINY_ROWS['mmlu_stem']!.rows);
    const outcomes = await run('mmlu_stem');
    expect(conforms(outcomes)).toBe(false);
    expect(reportText(outcomes)).toContain('mmlu_stem: UNEXPLAINED: line 9: listed as an exception');
  });
});
