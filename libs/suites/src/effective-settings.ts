import { type Example, type Generation, type Scorer, type SuiteHeader, type ThinkingDefaults, type Tool } from '@kiln/contracts';
import { effectiveThinkingBudget } from './effective-thinking-budget.js';

/**
 * The generation settings of an example in a run. Overrides replace the whole object (example > run override > suite);
 * fields are never merged.
 */
export function effectiveGeneration(
  header: Pick<SuiteHeader, 'generation'>,
  example: Pick<Example, 'generation'>,
  override: Generation | null,
): Generation {
  return example.generation ?? override ?? header.generation;
}

/**
 * The settings that a sample is generated with: the effective ones, with the limits on reasoning that are in force. Those are resolved by
 * themselves (contracts.md §1.10), so that an example's own temperature does not lift the suite's limit.
 *
 * @param defaults the server's, when the job was admitted
 */
export function sampleGeneration(
  header: Pick<SuiteHeader, 'generation'>,
  example: Pick<Example, 'generation'>,
  override: Generation | null,
  defaults: ThinkingDefaults = {},
): Generation {
  const { max_tokens: tokens, max_time_ms: time } = effectiveThinkingBudget(header, example.generation, override, defaults);
  const { thinking_budget_tokens: _tokens, thinking_budget_ms: _time, ...settings } = effectiveGeneration(header, example, override);
  return {
    ...settings,
    ...(tokens === undefined ? {} : { thinking_budget_tokens: tokens }),
    ...(time === undefined ? {} : { thinking_budget_ms: time }),
  };
}

/**
 * The seed from which the seeds of an example's completions are derived: its own, else the job's. The seeds of the suite and of
 * the run are in the job's already (contracts.md §1.3: top level over run over suite), so a top-level seed is never overridden
 * by one of them.
 */
export function baseSeed(example: Pick<Example, 'generation'>, effectiveSeed: bigint): bigint {
  const own = example.generation?.seed ?? null;
  return own === null ? effectiveSeed : BigInt(own);
}

/** The scorer of an example: its own, else the suite's. */
export function effectiveScorer(header: Pick<SuiteHeader, 'default_scorer'>, example: Pick<Example, 'scorer'>): Scorer {
  return example.scorer ?? header.default_scorer;
}

/** The tools of an example: its own catalogue replaces the suite's, and an empty one means none. Null when there are none. */
export function effectiveTools(header: Pick<SuiteHeader, 'tools'>, example: Pick<Example, 'tools'>): Tool[] | null {
  const tools = example.tools ?? header.tools;
  return tools === null || tools.length === 0 ? null : tools;
}
