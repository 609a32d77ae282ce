import { type CategoryRow, type ObjectiveDecision } from '@kiln/contracts';

/** Only where a verdict reads well is it news that a category does not. */
const HOPEFUL: Partial<Record<ObjectiveDecision, string>> = {
  upgrade: 'wins overall',
  no_regressions: 'no regressions overall',
};

/** @example divergence('upgrade', rows) // 'wins overall; regresses on chat, scheduled, and tool_heavy' */
export function divergence(decision: ObjectiveDecision, rows: readonly CategoryRow[]): string | null {
  const overall = HOPEFUL[decision];
  const regressed = rows.filter((row) => row.regressed).map((row) => row.category);
  return overall === undefined || regressed.length === 0 ? null : `${overall}; regresses on ${joined(regressed)}`;
}

function joined(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  if (names.length < 2) return last;
  return names.length === 2 ? names.join(' and ') : `${names.slice(0, -1).join(', ')}, and ${last}`;
}
