import { type Config, type ThinkingDefaults } from '@kiln/contracts';

/** The server's limits on reasoning as a job is admitted with them. */
export function thinkingDefaults({ thinking_budget_tokens: tokens, thinking_budget_ms: time }: Config['inference']): ThinkingDefaults {
  return { ...(tokens === null ? {} : { thinking_budget_tokens: tokens }), ...(time === null ? {} : { thinking_budget_ms: time }) };
}
