import { type Example, type Scorer, type SuiteHeader, type Tool } from '@kiln/contracts';
import { type Lease, type ShardExample } from '@kiln/database';
import { type SampleRequest } from '@kiln/inference';
import { deriveSeed } from '@kiln/provenance';
import { baseSeed, effectiveScorer, effectiveTools, promptMessages, sampleGeneration } from '@kiln/suites';

/** A sample that a shard still has to produce. */
export interface PlannedSample {
  ordinal: number;
  completionIndex: number;
  request: SampleRequest;
  scorer: Scorer;
  /** The right answers, and facts that the target never sees. */
  expected: Pick<Example, 'target' | 'aliases' | 'reference'>;
}

/**
 * What is missing from a shard: every completion of its examples that has no outcome yet, in order. Seeds are derived, never
 * stored, so a sample that is generated again is the same sample.
 *
 * @param timeLimits of a replay: see `replayedTimeLimits`
 */
export function planSamples(
  lease: Lease,
  header: SuiteHeader,
  examples: readonly ShardExample[],
  deadlineMs: number,
  timeLimits: ReadonlyMap<string, number>,
): PlannedSample[] {
  return examples.flatMap(({ example, ordinal, key, recorded: indices }) => {
    const generation = sampleGeneration(header, example, lease.generationOverride, lease.thinkingDefaults);
    const base = baseSeed(example, lease.effectiveSeed);
    const scorer = lease.scorer ?? effectiveScorer(header, example);
    const { target, aliases, reference } = example;
    const expected = { target, aliases, reference };
    const messages = promptMessages(header, example);
    const tools: Tool[] | null = effectiveTools(header, example);
    const recorded = new Set(indices);
    const missing = Array.from({ length: lease.k }, (_, index) => index).filter((index) => !recorded.has(index));
    return missing.map((completionIndex) => ({
      ordinal,
      completionIndex,
      scorer,
      expected,
      request: {
        id: `${ordinal}:${completionIndex}`,
        ...timeUp(timeLimits.get(`${ordinal}:${completionIndex}`)),
        target: lease.target,
        messages,
        tools,
        generation,
        seed: deriveSeed(base, key, completionIndex).toString(),
        deadlineMs,
      },
    }));
  });
}

function timeUp(thinkingTimeUpAt: number | undefined): { thinkingTimeUpAt?: number } {
  return thinkingTimeUpAt === undefined ? {} : { thinkingTimeUpAt };
}
