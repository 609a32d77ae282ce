import { type EffectiveThinkingBudget, type Generation, type ThinkingBudgetSource } from '@kiln/contracts';

type Dimension = 'thinking_budget_tokens' | 'thinking_budget_ms';
type Level = 'example' | 'run_override' | 'suite';

/**
 * What a sample's reasoning is limited to, and by whom (contracts.md §1.10). Each dimension by itself: the innermost settings that
 * name it decide; null there is "no limit", said on purpose.
 *
 * @param example the example's own settings
 * @param override the run's
 */
export function effectiveThinkingBudget(
  header: { generation: Generation },
  example: Generation | null,
  override: Generation | null,
): EffectiveThinkingBudget {
  const levels: [Level, Generation | null][] = [
    ['example', example],
    ['run_override', override],
    ['suite', header.generation],
  ];
  const tokens = resolve(levels, 'thinking_budget_tokens');
  const time = resolve(levels, 'thinking_budget_ms');
  return {
    configured: tokens.limit !== null || time.limit !== null,
    ...(tokens.limit === null ? {} : { max_tokens: tokens.limit }),
    ...(time.limit === null ? {} : { max_time_ms: time.limit }),
    tokens_source: tokens.source,
    time_source: time.source,
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
