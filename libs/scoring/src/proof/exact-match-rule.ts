import { type ScorerOf } from '@kiln/contracts';
import { compileExpectedOf, READS_AN_EXPRESSION, textsOf } from './expected-texts.js';
import { type MutateExample, mustPass } from './mutant.js';
import { textMutants } from './text-mutants.js';

export function proveExactMatch(scorer: ScorerOf<'exact_match'>): MutateExample | string {
  if (scorer.value_expression !== null) return READS_AN_EXPRESSION;
  const expectedOf = compileExpectedOf(scorer.expected_value, scorer.reference_key);
  return (example, other) => {
    const answers = textsOf(expectedOf(example));
    if (answers === null) return null;
    const strict = 'exact_match compares the whole text: dress makes another answer';
    const mutants = textMutants({ answers, frame: (text) => text, strict, denied: null, other });
    if (!scorer.strip_whitespace) return mutants;
    return mutants.map((mutant) => (mutant.kind === 'white_space' ? mustPass('white_space', mutant.text) : mutant));
  };
}
