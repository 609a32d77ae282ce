import { type EffectiveThinkingBudget, type ReplayScorerIdentity, type ReplaySettingsLine } from '@kiln/contracts';

/** The settings of an example as a line of a replay record; its keys are in order. */
export function settingsLine(
  exampleId: string,
  budget: EffectiveThinkingBudget,
  scorer: Omit<ReplayScorerIdentity, 'example_id'>,
): ReplaySettingsLine {
  return {
    example_id: exampleId,
    resolved_thinking_budget: {
      configured: budget.configured,
      ...(budget.max_time_ms === undefined ? {} : { max_time_ms: budget.max_time_ms }),
      ...(budget.max_tokens === undefined ? {} : { max_tokens: budget.max_tokens }),
      time_source: budget.time_source,
      tokens_source: budget.tokens_source,
    },
    scorer_identity: {
      config_sha256: scorer.config_sha256,
      example_id: exampleId,
      judge_adapter: scorer.judge_adapter,
      kind: scorer.kind,
      requires_judge: scorer.requires_judge,
    },
    type: 'settings',
  };
}
