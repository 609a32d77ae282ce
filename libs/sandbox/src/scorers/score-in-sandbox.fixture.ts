import { type ExecutedScore, parseWith, Scorer } from '@kiln/contracts';
import { compileExecutedScorer, type ExecutedScorer, plainAnswer, type RunConfined, type ScoringInput } from '@kiln/scoring';
import { randomBytes } from 'node:crypto';
import { createSandbox } from '../create-sandbox.js';
import { OPTIONS } from '../sandbox.fixture.js';

const sandbox = createSandbox(OPTIONS);

/** A scorer as a suite writes it, running its code in a real sandbox. */
export function compileInSandbox(scorer: object, runConfined: RunConfined = sandbox.runConfined): ExecutedScorer {
  const askJudge = () => Promise.reject(new Error('no judge here'));
  const randomToken = () => randomBytes(16).toString('hex');
  return compileExecutedScorer(parseWith(Scorer, scorer, 'scorer'), { runConfined, askJudge, randomToken });
}

/** One answer to one question. */
export async function scoreInSandbox(
  scorer: object,
  question: string,
  text: string,
  rest: Partial<ScoringInput> = {},
): Promise<ExecutedScore> {
  return compileInSandbox(scorer)(answerTo(question, text, rest), new AbortController().signal);
}

export function answerTo(question: string, text: string, rest: Partial<ScoringInput> = {}): ScoringInput {
  return { ...plainAnswer(text, { messages: [{ role: 'user', content: question }] }), ...rest };
}
