import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { scorerOfGrader } from './scorer-of-grader.js';

describe('scorerOfGrader', () => {
  it('hands the scalars of expect to the script, whatever they hold', () => {
    const hostile = `it's "$(echo no)" \\ \`id\`\nsecond line`;
    const script = 'printf "%s|" "$EVAL_EXPECT_MY_KEY" "$EVAL_EXPECT_COUNT" "$EVAL_EXPECT_OK" "$EVAL_EXPECT_LIST" "$EVAL_EXPECT_NONE"';
    const scorer = scorerOfGrader({
      grader: { type: 'bash', timeout_ms: 1000 },
      expect: { 'my-key': hostile, count: 3, ok: true, list: [1], none: null, script },
    });
    if (scorer.kind !== 'bash') return expect.fail(scorer.kind);
    expect(execFileSync('bash', ['-c', scorer.script], { encoding: 'utf8' })).toBe(`${hostile}|3|true|||`);
  });
});
