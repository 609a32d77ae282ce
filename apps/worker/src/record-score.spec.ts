import { type ExecutedScore } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { executedSample } from './record-score.js';
import { type UnscoredTrace } from './unscored-trace.js';

const TRACE = {
  sample: { ordinal: 3, completionIndex: 0, trace: { id: 'trace' } },
  scorer: { id: 'scorer', judgeIdentity: null },
} as unknown as UnscoredTrace;
const failed = (detail: ExecutedScore['detail']): ExecutedScore =>
  ({ kind: 'error', score: 0, detail, raw_value: null, usage: null }) as ExecutedScore;

describe('executedSample', () => {
  it('says what kept a judge from judging as a sentence, not as JSON in a text', () => {
    const { error } = executedSample(TRACE, failed({ reason: 'judge_unavailable', code: 'prompt_too_long', message: 'no room' }));
    expect(error).toEqual({ code: 'judge_unavailable', message: 'prompt_too_long: no room' });
  });

  it('keeps all that is known where there is no sentence', () => {
    const { error } = executedSample(TRACE, failed({ reason: 'timeout', seconds: 5 }));
    expect(error).toEqual({ code: 'timeout', message: '{"reason":"timeout","seconds":5}' });
  });
});
