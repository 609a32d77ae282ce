import { type EffectiveThinkingBudget, type Generation, type ThinkingBudgetSource, type ThinkingDefaults } from '@kiln/contracts';

type Dimension = 'thinking_budget_tokens' | 'thinking_budget_ms';
type Level = 'example' | 'run_override' | 'suite';

/**
 * What a sample's reasoning is limited to, and by whom (contracts.md §1.10). Each dimension by itself: the innermost settings that
 * name it decide; null there is "no limit", said on purpose.
 *
 * @param example the example's own settings
 * @param override the run's
 * @param defaults the server's, when the job was admitted
 */
export function effectiveThinkingBudget(
  header: { generation: Generation },
  example: Generation | null,
  override: Generation | null,
  defaults: ThinkingDefaults = {},
): EffectiveThinkingBudget {
  const levels: [Level, Generation | null][] = [
    ['example', example],
    ['run_override', override],
    ['suite', header.generation],
  ];
  const tokens = resolve(levels, defaults, 'thinking_budget_tokens');
  const time = resolve(levels, defaults, 'thinking_budget_ms');
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
  defaults: ThinkingDefaults,
  dimension: Dimension,
): { limit: number | null; source: ThinkingBudgetSource } {
  for (const [level, generation] of levels) {
    const limit = generation?.[dimension];
    if (limit === null) return { limit, source: `${level}_unlimited` };
    if (limit !== undefined) return { limit, source: level };
  }
  const limit = defaults[dimension];
  return limit === undefined ? { limit: null, source: 'unlimited' } : { limit, source: 'server_default' };
}
