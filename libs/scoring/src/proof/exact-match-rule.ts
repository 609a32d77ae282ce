import { type ScorerOf } from '@kiln/contracts';
import { READS_AN_EXPRESSION, referenceText } from './answer-source.js';
import { type MutateExample, mustPass } from './mutant.js';
import { rightAnswers, textMutants } from './text-mutants.js';

export function proveExactMatch(scorer: ScorerOf<'exact_match'>): MutateExample | string {
  if (scorer.value_expression !== null) return READS_AN_EXPRESSION;
  const { expected_value: expected, reference_key: key, strip_whitespace: strips } = scorer;
  return (example, other) => {
    const fixed = key === null ? expected : referenceText(example.reference, key);
    const answers = fixed !== null ? ([fixed] as const) : key === null ? rightAnswers(example) : null;
    if (answers === null) return null;
    const strict = 'exact_match compares the whole text: dress makes another answer';
    return textMutants({ answers, frame: (text) => text, strict, denied: null, other }).map((mutant) =>
      mutant.kind === 'white_space' && strips ? mustPass('white_space', mutant.text) : mutant,
    );
  };
}
