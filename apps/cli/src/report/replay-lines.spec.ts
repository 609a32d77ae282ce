import { type ReplayDifference, type ReplayVerdict } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { PLAIN } from '../terminal/style.js';
import { replayLines } from './replay-lines.js';

const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;

const MATCHED: ReplayVerdict = {
  status: 'matched',
  source_job_id: 'job-1',
  source_run_index: 1,
  record_sha256: digest('0'),
  expected_sha256: digest('a'),
  actual_sha256: digest('a'),
  source_changed: false,
  samples_compared: 1200,
  samples_different: 0,
  first_difference: null,
  reason: null,
};

const DIFFERENCE: ReplayDifference = {
  outcome_index: 35,
  raw_completion_pointer: '/outcomes/35/raw_completion_text',
  example_id: 'sum-17',
  completion_index: 1,
  form: 'raw',
  token: 3,
  expected_token: 53,
  actual_token: null,
  expected_tokens: [49, 56, 53, 2],
  actual_tokens: [49, 56],
  byte: 4,
  expected_byte: 0x35,
  actual_byte: null,
  expected_context: 'is 185',
  actual_context: 'is 1\u001b[2J',
};

const linesOf = (verdict: ReplayVerdict | null): string => replayLines({ replay_verdict: verdict }, PLAIN).join('\n');

describe('replayLines', () => {
  it('says nothing of other jobs', () => {
    expect(linesOf(null)).toBe('');
  });

  it('shows both digests of a match', () => {
    const lines = linesOf(MATCHED);
    expect(lines).toContain('replay of job job-1, run 1: matched · 1,200 of 1,200 completions are the same');
    expect(lines.split(digest('a'))).toHaveLength(3);
  });

  it('shows where a mismatch begins, and makes the texts of models safe to show', () => {
    const lines = linesOf({
      ...MATCHED,
      status: 'mismatch',
      actual_sha256: digest('b'),
      source_changed: true,
      samples_different: 3,
      first_difference: DIFFERENCE,
    });
    expect(lines).toContain('mismatch · 1,197 of 1,200 completions');
    expect(lines).toContain('were changed after it had ended');
    expect(lines).toContain('first difference: example sum-17, completion 1, token 3, byte 4 of its raw text');
    expect(lines).toContain('expected token 53 in [49,56,53,2]');
    expect(lines).toContain('actual   no token in [49,56]');
    expect(lines).toContain('expected 0x35 in "is 185"');
    expect(lines).toContain('actual   the end in "is 1\\u001b[2J"');
    expect(lines).not.toContain('\u001b');
  });

  it('shows what there is of a difference: bytes without tokens, tokens of equal bytes', () => {
    const shown = (over: Partial<ReplayDifference>): string =>
      linesOf({ ...MATCHED, status: 'mismatch', actual_sha256: digest('b'), first_difference: { ...DIFFERENCE, ...over } });
    const bytes = shown({ token: null, expected_token: null, actual_token: null, expected_tokens: null, actual_tokens: null });
    expect(bytes).toContain('completion 1, byte 4 of its raw text');
    expect(bytes).not.toContain('token');
    const none = { byte: null, expected_byte: null, actual_byte: null, expected_context: null, actual_context: null };
    const tokens = shown({ form: 'tokens', ...none });
    expect(tokens).toContain('completion 1, token 3, whose bytes are equal');
    expect(tokens).not.toContain('the end');
  });

  it('gives the reason of an error', () => {
    const reason = 'the replay was cancelled before its end';
    expect(linesOf({ ...MATCHED, status: 'error', expected_sha256: null, actual_sha256: null, reason })).toContain(reason);
  });
});
