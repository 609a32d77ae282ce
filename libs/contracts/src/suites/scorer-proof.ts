import { z } from 'zod';
import { ScorerKind } from '../scorer/scorer-kind.js';

/** How an answer is made from an example's right answer. */
export const MutantKind = z
  .enum([
    'target',
    'white_space',
    'bold',
    'latex',
    'boxed',
    'fence',
    'parentheses',
    'sentence',
    'unicode_minus',
    'thousands_groups',
    'trailing_zeros',
    'key_order',
    'empty',
    'refusal',
    'injected_judgment',
    'negation',
    'other_answer',
    'times_ten',
    'sign_flip',
    'last_digit_up',
    'last_digit_down',
    'digit_prefix',
    'another_label',
    'another_tool',
    'changed_arguments',
    'dropped_call',
    'changed_value',
    'dropped_member',
    'extra_member',
    'missing_phrase',
    'other_code',
  ])
  .meta({ id: 'MutantKind' });
export type MutantKind = z.infer<typeof MutantKind>;

/** What a scorer should do with a mutant. `either`: its contract does not say that the two are the same, or that they differ. */
export const MutantDuty = z.enum(['pass', 'not_pass', 'either']).meta({ id: 'MutantDuty' });
export type MutantDuty = z.infer<typeof MutantDuty>;

const Count = z.int().min(0);

const ScorerProofRow = z
  .object({
    mutant: MutantKind,
    duty: MutantDuty,
    reason: z.string().nullable().meta({ description: 'Why either is right; null for the other duties.' }),
    tried: Count,
    passed: Count,
    wrong: Count.meta({ description: 'False rejects for the duty pass, false accepts for not_pass, 0 for either.' }),
    first_wrong: z
      .object({ example_id: z.string(), text: z.string() })
      .nullable()
      .meta({ description: 'An excerpt of the first answer that was graded wrongly.' }),
  })
  .meta({ id: 'ScorerProofRow' });
export type ScorerProofRow = z.infer<typeof ScorerProofRow>;

/** Examples with one scorer, or, where a suite has very many scorers, with one kind of scorer. */
const ScorerProofGroup = z
  .object({
    scorer_kind: ScorerKind,
    scorer_identity: z
      .string()
      .nullable()
      .meta({ description: 'null: scorers of this kind that differ, proved together because the suite has so many.' }),
    first_example_id: z.string(),
    status: z
      .enum(['proved', 'nothing_to_compare', 'needs_execution'])
      .meta({ description: 'needs_execution: a judge, or code; proved by `kiln eval prove-scorers --executed`.' }),
    reason: z.string().nullable().meta({ description: 'Why it was not proved.' }),
    examples: Count,
    examples_tried: Count.meta({ description: 'At most 500, evenly spaced; examples without a right answer are not among them.' }),
    rows: z.array(ScorerProofRow),
  })
  .meta({ id: 'ScorerProofGroup' });
export type ScorerProofGroup = z.infer<typeof ScorerProofGroup>;

/** Version of the mutants and of what scorers owe them: a proof of another version is made again. */
export const SCORER_PROOF_VERSION = 1;

/** How the scorers of a suite graded answers that are known to be right or wrong. */
export const ScorerProof = z
  .object({
    version: z.int().min(1),
    examples: Count,
    examples_tried: Count,
    false_accepts: Count.meta({ description: 'Wrong answers that passed. A suite with any gates only under a scorer_waiver.' }),
    false_rejects: Count.meta({ description: 'Right answers that did not pass.' }),
    groups: z.array(ScorerProofGroup),
  })
  .meta({ id: 'ScorerProof' });
export type ScorerProof = z.infer<typeof ScorerProof>;

/** A proof without its table. */
export const ScorerProofSummary = ScorerProof.omit({ groups: true }).meta({ id: 'ScorerProofSummary' });
export type ScorerProofSummary = z.infer<typeof ScorerProofSummary>;

/** The group and the row of `proof` that accepted the most wrong answers; null when none did. */
export function worstFalseAccept(proof: ScorerProof): { group: ScorerProofGroup; row: ScorerProofRow } | null {
  let worst: { group: ScorerProofGroup; row: ScorerProofRow } | null = null;
  for (const group of proof.groups) {
    for (const row of group.rows) {
      if (row.duty === 'not_pass' && row.wrong > (worst?.row.wrong ?? 0)) worst = { group, row };
    }
  }
  return worst;
}
