import { type Generation } from '@kiln/contracts';
import { type AdmittedRun, type SuiteVersion } from '@kiln/database';
import { generationHash, targetHash } from '@kiln/provenance';
import { planShards, sampleBound, sampleDeadlineMs } from '@kiln/running';
import { expectedSampleSeconds } from './sample-seconds.js';
import { type ResolvedTarget } from './resolved-target.js';

/**
 * A run as it is admitted: frozen, priced at its worst, cut into shards.
 *
 * @param generation the settings of examples without their own
 */
export function planRun(target: ResolvedTarget, suite: SuiteVersion, generation: Generation, k: number): AdmittedRun {
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
    shards: planShards(suite.exampleCount, k, expectedSampleSeconds(frozen, maxTokens)),
  };
}
