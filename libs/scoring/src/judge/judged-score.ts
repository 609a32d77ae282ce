import { type ExecutedScore, type JsonObject, type Score } from '@kiln/contracts';
import { invalid, unscorable } from '../score-results.js';
import { type CandidateFlag } from './candidate-flags.js';
import { type JudgeSession, type NoJudgment } from './judge-session.js';

/**
 * The score of a trace that was judged, with what every judging scorer records: what the calls consumed, how many questions
 * were asked twice, and what in the candidate's text looks like an attempt to steer the judge.
 */
export function judgedScore(
  { kind, score, detail }: { kind: Score['kind']; score: number; detail: JsonObject },
  rawValue: number | null,
  session: JudgeSession,
  flags: readonly CandidateFlag[],
): ExecutedScore {
  const more = { ...(session.reasks > 0 ? { reasks: session.reasks } : {}), ...(flags.length > 0 ? { candidate_flags: [...flags] } : {}) };
  return { kind, score, detail: { ...detail, ...more }, raw_value: rawValue, usage: session.usage };
}

/**
 * Without a judgment: `invalid` when the judge answered and could not be read, `error` when it could not be asked. The contract
 * says `invalid` for both (§1.7), but an outage is never counted against a model, and `invalid` would be.
 */
export function withoutJudgment(failure: NoJudgment, session: JudgeSession, flags: readonly CandidateFlag[]): ExecutedScore {
  const score =
    failure.kind === 'unreadable'
      ? invalid('judge_unreadable', { why: failure.reason, reply: failure.reply })
      : unscorable('judge_unavailable', { code: failure.code, message: failure.message });
  return judgedScore({ ...score, detail: score.detail as JsonObject }, null, session, flags);
}
