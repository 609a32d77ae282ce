import { type Generation } from '@kiln/contracts';
import { type AdmittedRun, type SuiteVersion } from '@kiln/database';
import { generationHash, targetHash } from '@kiln/provenance';
import { planShards, sampleBound } from '@kiln/running';
import { expectedSampleSeconds } from './sample-seconds.js';
import { type ResolvedTarget } from './resolved-target.js';

/** Longest time that a worker gives one sample of a local model, in seconds; endpoints name their own. */
const LOCAL_SAMPLE_SECONDS = 300;

/**
 * A run as it is admitted: frozen, priced at its worst, cut into shards.
 *
 * @param generation the settings of examples without their own
 */
export function planRun(target: ResolvedTarget, suite: SuiteVersion, generation: Generation, k: number): AdmittedRun {
  const { frozen, contextLength } = target;
  const most = (tokens: number): number => Math.min(tokens, contextLength ?? Infinity);
  const maxTokens = most(Math.max(generation.max_tokens, suite.exampleMaxTokens));
  const deadlineSeconds = frozen.kind === 'endpoint' ? frozen.timeout_ms / 1000 : LOCAL_SAMPLE_SECONDS;
  const bound = sampleBound(frozen.pricing, most(suite.maxPromptTokens), maxTokens, deadlineSeconds);
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
