import { type ScorerOf } from '@kiln/contracts';
import { compileScorer } from '../compile-scorer.js';
import { findRightAnswers } from '../right-answers.js';
import { READS_AN_EXPRESSION } from './expected-texts.js';
import { type MutateExample } from './mutant.js';
import { plainAnswer } from '../plain-answer.js';
import { textMutants } from './text-mutants.js';

/** What a pattern may want around an answer, the barest first. */
const FRAMES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `Answer: ${text}`,
  (text) => `ANSWER: ${text}`,
  (text) => `The answer is ${text}.`,
  (text) => `The final answer is ${text}.`,
  (text) => `Final answer: ${text}`,
  (text) => `#### ${text}`,
  (text) => `\\boxed{${text}}`,
  (text) => `$\\boxed{${text}}$`,
  (text) => `(${text})`,
  (text) => `[${text}]`,
  (text) => `**${text}**`,
  (text) => `"${text}"`,
  (text) => `<answer>${text}</answer>`,
  (text) => `\`\`\`\n${text}\n\`\`\``,
];

export function proveRegex(scorer: ScorerOf<'regex'>): MutateExample {
  return provePattern(scorer);
}

export function provePatternMatch(scorer: ScorerOf<'pattern_match'>): MutateExample | string {
  if (scorer.value_expression !== null) return READS_AN_EXPRESSION;
  return scorer.mode === 'must_not_match' ? 'must_not_match says what an answer must not hold, not what is right' : provePattern(scorer);
}

/** A pattern is proved in the form that it reads; when it reads the target in no known form, the target itself is its false reject. */
function provePattern(scorer: ScorerOf<'regex'> | ScorerOf<'pattern_match'>): MutateExample {
  const score = compileScorer(scorer);
  return (example, other) => {
    const answers = findRightAnswers(example);
    if (answers === null) return null;
    const frame = FRAMES.find((candidate) => score(plainAnswer(candidate(answers[0]), example)).kind === 'pass') ?? FRAMES[0];
    return textMutants({
      answers,
      frame: frame ?? ((text) => text),
      strict: 'the pattern alone decides which forms it reads',
      denied: 'a pattern finds what it describes in a denial too',
      other,
    });
  };
}
