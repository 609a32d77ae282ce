import { KilnError, type ScorerProof, worstFalseAccept } from '@kiln/contracts';
import { type SuiteVersion } from '@kiln/database';

/**
 * A verdict must not rest on a scorer that passes answers which are known to be wrong, unless the suite says why it may.
 *
 * @throws KilnError `eval_invalid_request` with the worst of them and what to do
 */
export function checkScorerProof({ header }: Pick<SuiteVersion, 'header'>, proof: ScorerProof): void {
  const worst = worstFalseAccept(proof);
  if (worst === null || header.scorer_waiver !== undefined) return;
  const { group, row } = worst;
  const example = row.first_wrong;
  const shown = example === null ? '' : `, such as ${JSON.stringify(example.text)} for the example ${JSON.stringify(example.example_id)}`;
  throw new KilnError(
    'eval_invalid_request',
    `gate: the scorer ${group.scorer_kind} accepts wrong answers: ${row.wrong} of ${row.tried} of the kind ${row.mutant} passed${shown}`,
    {
      path: 'gate',
      hint: `Correct the scorer ("kiln eval prove-scorers --suite ${header.name}" shows all that it accepts), or write into the suite’s scorer_waiver why it may gate all the same.`,
    },
  );
}
