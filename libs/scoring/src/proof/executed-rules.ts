import { findRightAnswers } from '../right-answers.js';
import { type MutateExample, mayPass } from './mutant.js';
import { textMutants } from './text-mutants.js';

/** A judge should see through dress, and through an answer that grades itself. */
export const proveJudge: MutateExample = (example, other) => {
  const answers = findRightAnswers(example);
  return answers && textMutants({ answers, frame: (text) => text, strict: null, denied: null, other });
};

/** The answer against a target of the same worth is a tie; only what is worse than the target is known. */
export const provePairwise: MutateExample = (example, other) =>
  proveJudge(example, other)?.map((mutant) =>
    mutant.duty === 'pass' ? mayPass(mutant.kind, mutant.text, 'an answer as good as the target is a tie') : mutant,
  ) ?? null;

/** A program of the suite: which forms it reads is its own affair. */
export const proveProgram: MutateExample = (example, other) => {
  const answers = findRightAnswers(example);
  const strict = 'the suite’s own program decides which forms it reads';
  return answers && textMutants({ answers, frame: (text) => text, strict, denied: null, other });
};
