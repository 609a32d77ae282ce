import { type Generation, type ThinkingBudgetOutcome, type ThinkingBudgetRecord, type ThinkingDefaults } from '@kiln/contracts';
import { effectiveThinkingBudget } from '@kiln/suites';

interface Settings {
  header: { generation: Generation };
  generationOverride: Generation | null;
  thinkingDefaults: ThinkingDefaults;
}

/** What a sample's reasoning was limited to and by whom, with what the limit did (contracts.md §1.10). */
export function thinkingBudgetRecord(outcome: ThinkingBudgetOutcome, example: Generation | null, settings: Settings): ThinkingBudgetRecord {
  const { header, generationOverride, thinkingDefaults } = settings;
  return { ...effectiveThinkingBudget(header, example, generationOverride, thinkingDefaults), ...outcome };
}
