import { type ScorerOf } from '@kiln/contracts';
import { compilePattern } from '../compile-pattern.js';
import { executedScore } from '../executed-score.js';
import { lastQuestion } from '../last-question.js';
import { meanOf } from '../mean-of.js';
import { invalid, unscorable } from '../score-results.js';
import { type ExecutedScorer, type ScorerCheck } from '../scorer-definition.js';
import { type ScorerPorts } from '../scorer-ports.js';
import { candidateFlags } from './candidate-flags.js';
import { type JudgeQuestionText } from './judge-prompt.js';
import { JudgeSession } from './judge-session.js';
import { candidateText } from './judged-texts.js';
import { judgedScore, withoutJudgment } from './judged-score.js';
import { measureDisagreement } from './measure-disagreement.js';
import { PICK_PATTERN, readPick } from './read-pick.js';
import { requireTarget } from './require-target.js';
import { type PairResult, resolveBothOrders, type SeatPick } from './resolve-both-orders.js';

type PairwiseJudge = ScorerOf<'pairwise_judge'>;

/** What a win, a tie and a loss are worth; from a tie on the answer is not worse than the target, and passes. */
const WORTH = { win: 1, tie: 0.5, loss: 0 } as const;

/**
 * A model picks the better of answer and target, shown as A and B in both orders. The same response both times is a win or a
 * loss; a pick that changes with the order is a tie. The score is the mean worth over the repetitions; from 0.5 on it passes.
 * How often the judge picked a seat instead of a response is recorded. One call without a judgment leaves no score.
 */
export function compilePairwiseJudge(scorer: PairwiseJudge, ports: ScorerPorts): ExecutedScorer {
  const pattern = compilePattern(PICK_PATTERN, true);
  if (pattern.kind === 'bad_pattern') throw new Error(`the pattern of picks: ${pattern.message}`);

  return async (input, signal) => {
    const answer = candidateText(input.text, input.toolCalls);
    if (answer.trim() === '') return executedScore(invalid('empty_answer'));
    if (input.target === null) return executedScore(unscorable('target_missing'));
    const { target } = input;
    const question = lastQuestion(input);
    const orders = [pickQuestion(scorer.criteria, question, answer, target), pickQuestion(scorer.criteria, question, target, answer)];
    const session = new JudgeSession(ports, scorer, [scorer.criteria ?? '', question, answer, target].join('\0'), signal);
    const flags = candidateFlags(answer, pattern);
    const results: PairResult[] = [];
    for (let rep = 0; rep < scorer.grader_reps; rep += 1) {
      const picks: SeatPick[] = [];
      for (const [order, pair] of orders.entries()) {
        const asked = await session.ask(rep * orders.length + order, { ...pair, read: (reply) => readPick(pattern, reply) });
        if (asked.kind !== 'judgment') return withoutJudgment(asked, session, flags);
        picks.push(asked.judgment);
      }
      const [candidateAsA = 'tie', candidateAsB = 'tie'] = picks;
      results.push(resolveBothOrders(candidateAsA, candidateAsB));
    }
    const worth = results.map(({ outcome }) => WORTH[outcome]);
    const score = meanOf(worth);
    const count = (matches: (result: PairResult) => boolean): number => results.filter(matches).length;
    const detail = {
      ...measureDisagreement(worth.map((value) => value >= WORTH.tie)),
      wins: count(({ outcome }) => outcome === 'win'),
      ties: count(({ outcome }) => outcome === 'tie'),
      losses: count(({ outcome }) => outcome === 'loss'),
      picked_seat_a: count(({ seat }) => seat === 'a'),
      picked_seat_b: count(({ seat }) => seat === 'b'),
    };
    return judgedScore({ kind: score >= WORTH.tie ? 'pass' : 'fail', score, detail }, score, session, flags);
  };
}

const CRITERIA = 'Correctness comes first, then whether the question is fully answered, then clarity.';

/** What is asked about a pair, in one order. Nothing says which response is the candidate's. */
export function pickQuestion(criteria: string | null, question: string, a: string, b: string): JudgeQuestionText {
  return {
    system: null,
    data: [question, a, b],
    write: (fence) =>
      [
        `Two responses to one question. Decide which is better. ${criteria ?? CRITERIA}`,
        'Neither the order of the responses nor their length matters.',
        fence.wrap('QUESTION', question),
        fence.wrap('RESPONSE A', a),
        fence.wrap('RESPONSE B', b),
        'End with your verdict alone on the last line: [[A]] if A is better, [[B]] if B is better, [[C]] if they are equally good.',
      ].join('\n\n'),
  };
}

export function checkPairwiseJudge(): ScorerCheck {
  return requireTarget('the scorer pairwise_judge');
}
