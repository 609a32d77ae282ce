import { type Generation, type ThinkingBudgetOutcome, type ThinkingBudgetRecord } from '@kiln/contracts';
import { effectiveThinkingBudget } from '@kiln/suites';

interface Settings {
  header: { generation: Generation };
  generationOverride: Generation | null;
}

/** What a sample's reasoning was limited to and by whom, with what the limit did (contracts.md §1.10). */
export function thinkingBudgetRecord(outcome: ThinkingBudgetOutcome, example: Generation | null, settings: Settings): ThinkingBudgetRecord {
  return { ...effectiveThinkingBudget(settings.header, example, settings.generationOverride), ...outcome };
}
