import { type Generation, type ThinkingBudgetOutcome, type ThinkingBudgetRecord, type ThinkingBudgetSource } from '@kiln/contracts';

interface Settings {
  header: { generation: Generation };
  generationOverride: Generation | null;
}

type Dimension = 'thinking_budget_tokens' | 'thinking_budget_ms';
type Level = 'example' | 'run_override' | 'suite';

/**
 * What a sample's reasoning was limited to and by whom, with what the limit did (contracts.md §1.10). Each dimension by
 * itself: the innermost settings that name it decide; null there is "no limit", said on purpose.
 */
export function thinkingBudgetRecord(outcome: ThinkingBudgetOutcome, example: Generation | null, settings: Settings): ThinkingBudgetRecord {
  const levels: [Level, Generation | null][] = [
    ['example', example],
    ['run_override', settings.generationOverride],
    ['suite', settings.header.generation],
  ];
  const tokens = resolve(levels, 'thinking_budget_tokens');
  const time = resolve(levels, 'thinking_budget_ms');
  return {
    configured: tokens.limit !== null || time.limit !== null,
    ...(tokens.limit === null ? {} : { max_tokens: tokens.limit }),
    ...(time.limit === null ? {} : { max_time_ms: time.limit }),
    tokens_source: tokens.source,
    time_source: time.source,
    ...outcome,
  };
}

function resolve(
  levels: readonly [Level, Generation | null][],
  dimension: Dimension,
): { limit: number | null; source: ThinkingBudgetSource } {
  for (const [level, generation] of levels) {
    const limit = generation?.[dimension];
    if (limit === null) return { limit, source: `${level}_unlimited` };
    if (limit !== undefined) return { limit, source: level };
  }
  return { limit: null, source: 'unlimited' };
}
