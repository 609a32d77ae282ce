import { type Generation } from '@kiln/contracts';
import { type AdmittedRun, type SuiteVersion } from '@kiln/database';
import { generationHash, targetHash } from '@kiln/provenance';
import { planShards, sampleBound, sampleDeadlineMs } from '@kiln/running';
import { expectedSampleSeconds } from './sample-seconds.js';
import { type ResolvedTarget } from './resolved-target.js';
import { type ScoringPlan } from './scoring-planner.js';

/**
 * A run as it is admitted: frozen, priced at its worst, cut into shards.
 *
 * @param plan.generation the settings of examples without their own
 * @param plan.scoring how the traces are scored when that does not happen beside generation
 */
export function planRun(
  target: ResolvedTarget,
  suite: SuiteVersion,
  { generation, k, scoring }: { generation: Generation; k: number; scoring: ScoringPlan },
): AdmittedRun {
  const { frozen, contextLength } = target;
  const most = (tokens: number): number => Math.min(tokens, contextLength ?? Infinity);
  const maxTokens = most(Math.max(generation.max_tokens, suite.exampleMaxTokens));
  // Of an endpoint's attempts only the last one is charged for.
  const longestMs = frozen.kind === 'endpoint' ? frozen.timeout_ms : sampleDeadlineMs(frozen);
  const bound = sampleBound(frozen.pricing, most(suite.maxPromptTokens), maxTokens, longestMs / 1000);
  return {
    name: target.name,
    target: frozen,
    targetHash: targetHash(frozen),
    queue: target.queue,
    effectiveGenerationHash: generationHash(generation),
    costBoundNano: bound.costNano,
    tokenBound: bound.tokens,
    sourceRunId: null,
    scorer: null,
    judging: scoring.judging,
    scoreQueue: scoring.queue,
    shards: planShards(suite.exampleCount, k, expectedSampleSeconds(frozen, maxTokens)),
  };
}
