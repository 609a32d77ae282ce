import { type Message, type Scorer } from '@kiln/contracts';
import { lastQuestion } from '../last-question.js';

/** A name in braces is a placeholder of a template; with a space it is text. */
const NAMED = /\{(?=[A-Za-z_][A-Za-z0-9_]{0,63}\})/g;

/**
 * A copy of `scorer` in which templates show the question itself: a judge takes the last user message for it, and in a proof that
 * is the answer. Claims and pairwise judges write their own questions and see the answer in its place.
 */
export function judgedQuestion(scorer: Scorer, messages: readonly Message[]): Scorer {
  if (scorer.kind === 'all' || scorer.kind === 'any') {
    return { ...scorer, scorers: scorer.scorers.map((child) => judgedQuestion(child, messages)) };
  }
  if (scorer.kind !== 'llm_judge') return scorer;
  const question = lastQuestion({ messages }).replace(NAMED, '{ ');
  return { ...scorer, template: scorer.template.replaceAll('{question}', () => question) };
}
