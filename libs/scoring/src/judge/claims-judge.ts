import { type ScorerOf } from '@kiln/contracts';
import { executedScore } from '../executed-score.js';
import { lastQuestion } from '../last-question.js';
import { meanOf } from '../mean-of.js';
import { invalid } from '../score-results.js';
import { type ExecutedScorer, type ScorerCheck } from '../scorer-definition.js';
import { type ScorerPorts } from '../scorer-ports.js';
import { acceptExample } from '../scorer-refusal.js';
import { candidateFlags } from './candidate-flags.js';
import { type JudgeQuestionText } from './judge-prompt.js';
import { JudgeSession } from './judge-session.js';
import { candidateText } from './judged-texts.js';
import { judgedScore, withoutJudgment } from './judged-score.js';
import { measureDisagreement } from './measure-disagreement.js';
import { readClaims } from './read-claims.js';

/**
 * A model says of each claim whether the answer meets it (contracts.md §5.2). A repetition passes the answer when it says that
 * every claim is met; the answer passes when more than half of the repetitions do, so a tie fails. The score is the share of
 * claims met, over all repetitions. A repetition that cannot be read makes the whole `invalid`, one that fails an `error`.
 */
export function compileClaimsJudge(scorer: ScorerOf<'judge'>, ports: ScorerPorts): ExecutedScorer {
  return async (input, signal) => {
    const answer = candidateText(input.text, input.toolCalls);
    if (answer.trim() === '') return executedScore(invalid('empty_answer'));
    const question = claimsQuestion(scorer.claims, lastQuestion(input), answer);
    const session = new JudgeSession(ports, scorer, [...scorer.claims, ...question.data].join('\0'), signal);
    const flags = candidateFlags(answer, null);
    const reps: (readonly boolean[])[] = [];
    for (let rep = 0; rep < scorer.grader_reps; rep += 1) {
      const asked = await session.ask(rep, { ...question, read: (reply) => readClaims(scorer.claims, reply) });
      if (asked.kind !== 'judgment') return withoutJudgment(asked, session, flags);
      reps.push(asked.judgment);
    }
    const agreement = measureDisagreement(reps.map((met) => met.every(Boolean)));
    const score = meanOf(reps.flat().map(Number));
    const met = scorer.claims.map((_, claim) => reps.filter((rep) => rep[claim]).length);
    const kind = agreement.passes * 2 > agreement.reps ? 'pass' : 'fail';
    return judgedScore({ kind, score, detail: { ...agreement, met } }, score, session, flags);
  };
}

/** What is asked about claims. The claims are the suite's own words and stand outside the data. */
export function claimsQuestion(claims: readonly string[], question: string, answer: string): JudgeQuestionText {
  const numbered = claims.map((claim, index) => `${index + 1}. ${claim}`).join('\n');
  return {
    system: null,
    data: [question, answer],
    write: (fence) =>
      [
        'Decide of each claim whether the answer meets it. A claim that is only partly met is not met.',
        fence.wrap('QUESTION', question),
        fence.wrap('ANSWER', answer),
        `Claims:\n${numbered}`,
        'Reply with one JSON object and nothing else. Restate every claim word for word, in this order, with true or false:\n{"claims": [{"claim": "…", "met": true}]}',
      ].join('\n\n'),
  };
}

/** Claims need nothing of an example. */
export function checkClaimsJudge(): ScorerCheck {
  return acceptExample;
}
