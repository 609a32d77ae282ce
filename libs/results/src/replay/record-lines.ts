import { type Generation, type ReplayCompletionLine, type ReplaySettingsLine, type Scorer } from '@kiln/contracts';
import { type RepeatableJob, type ReplayRow } from '@kiln/database';
import { completionLine, deriveSeed, settingsLine } from '@kiln/provenance';
import { asksJudge, traceTexts } from '@kiln/scoring';
import { baseSeed, effectiveThinkingBudget } from '@kiln/suites';

type Inputs = Pick<RepeatableJob, 'suiteHeader' | 'generationOverride' | 'thinkingDefaults' | 'effectiveSeed'>;

/** The settings under which an example runs, as a line of a replay record. */
export function exampleSettingsLine(
  { suiteHeader, generationOverride, thinkingDefaults }: Inputs,
  example: { key: string; generation: Generation | null },
  { config, identity }: { config: Scorer; identity: string },
): ReplaySettingsLine {
  return settingsLine(example.key, effectiveThinkingBudget(suiteHeader, example.generation, generationOverride, thinkingDefaults), {
    kind: config.kind,
    config_sha256: identity,
    requires_judge: asksJudge(config),
    judge_adapter: 'judge_adapter' in config ? config.judge_adapter : null,
  });
}

/**
 * A stored completion as a line of a replay record; null where nothing was generated.
 *
 * @param outcomeIndex its place among the outcomes of the run
 */
export function storedCompletionLine({ effectiveSeed }: Inputs, row: ReplayRow, outcomeIndex: number): ReplayCompletionLine | null {
  const { trace, exampleKey, completionIndex, exampleGeneration } = row;
  if (trace === null) return null;
  const base = baseSeed({ generation: exampleGeneration }, effectiveSeed);
  return completionLine({
    outcomeIndex,
    exampleId: exampleKey,
    completionIndex,
    seed: deriveSeed(base, exampleKey, completionIndex),
    raw: trace.raw,
    normalized: traceTexts(trace).text,
    timeUpAt: trace.timeUpAt,
  });
}
