import { type HillclimbSide } from '@kiln/contracts';

/**
 * Why two runs cannot be compared, or null: they must have run the same examples, the same way, and neither may have
 * changed while it ran. Hashes that are missing make no claim. Source: contracts §5.5.
 */
export function notComparable(baseline: HillclimbSide, candidate: HillclimbSide): string | null {
  if (baseline.workflow !== candidate.workflow) return 'the sides ran different suites';
  if (baseline.suite_hash !== candidate.suite_hash) return 'the sides ran different versions of the suite';
  if (baseline.project !== candidate.project) return 'the sides belong to different projects';
  if (baseline.case_set_hash !== candidate.case_set_hash) return 'the sides did not complete the same examples';
  if (baseline.split_filter !== candidate.split_filter) return 'the sides ran different splits';
  if (baseline.reps !== candidate.reps) return `the sides ran ${baseline.reps} and ${candidate.reps} completions an example`;
  const mixed = [baseline, candidate].find(({ definition_hashes: hashes }) => hashes.length > 1);
  return mixed ? `a side changed while it ran: ${mixed.definition_hashes.length} definitions were observed` : null;
}
