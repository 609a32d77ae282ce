import { type AllScorer, type AnyScorer, childScorers, type MutantDuty, type Scorer } from '@kiln/contracts';
import { type Mutant, type MutateExample } from './mutant.js';

/** Composites have a few scorers. Each mutant of one is graded by all, so that thousands would take minutes an example. */
const MAX_SCORERS = 32;

const UNSAID = 'the scorers of a composite do not agree on what this answer is';

/**
 * What a composite owes an answer follows from what its children owe it: `all` must pass what every child must, and must
 * not pass what one child must not; `any` the other way round. A child that compares nothing says nothing.
 */
export function proveComposite(scorer: AllScorer | AnyScorer, ruleOf: (child: Scorer) => MutateExample | string): MutateExample | string {
  if (countScorers(scorer) > MAX_SCORERS) return `a composite of more than ${MAX_SCORERS} scorers is not proved`;
  const rules = scorer.scorers.map(ruleOf);
  if (rules.every((rule) => typeof rule === 'string')) return rules[0] ?? 'no scorers';
  return (example, other) => {
    const said = rules.map((rule) => (typeof rule === 'string' ? null : rule(example, other)));
    if (said.every((mutants) => mutants === null)) return null;
    const byText = said.map((mutants) => new Map((mutants ?? []).map((mutant) => [mutant.text, mutant])));
    const all = new Map<string, Mutant>();
    for (const mutant of said.flatMap((mutants) => mutants ?? [])) if (!all.has(mutant.text)) all.set(mutant.text, mutant);
    return [...all.values()].map((mutant) => {
      const duties = byText.map((mutants) => mutants.get(mutant.text)?.duty ?? 'either');
      const duty = scorer.kind === 'all' ? dutyOf(duties, 'pass', 'not_pass') : dutyOf(duties, 'not_pass', 'pass');
      return { ...mutant, duty, reason: duty === 'either' ? (mutant.reason ?? UNSAID) : null };
    });
  };
}

function countScorers(scorer: Scorer): number {
  return childScorers(scorer).reduce((sum, child) => sum + Math.max(1, countScorers(child)), 0);
}

function dutyOf(duties: readonly MutantDuty[], whenAll: MutantDuty, whenOne: MutantDuty): MutantDuty {
  if (duties.includes(whenOne)) return whenOne;
  return duties.every((duty) => duty === whenAll) ? whenAll : 'either';
}
