import { childScorers, type FrozenTarget, type Scorer } from '@kiln/contracts';
import { targetHash } from '@kiln/provenance';
import { sampleBound, type SampleBound } from './sample-bound.js';
import { sampleDeadlineMs } from './sample-deadline.js';

/** Who judges the samples of a run, frozen at admission, and what asking them takes at most. */
export interface Judging {
  /** By {@link judgeKey}. */
  readonly targets: Readonly<Record<string, FrozenTarget>>;
  /** Calls to a judge for one sample, repetitions and second tries included. */
  readonly calls: number;
  /** Tokens of one call's prompt besides the trace and the example, at most: template, instructions, delimiters. */
  readonly overheadTokens: number;
  /** How often the longest prompt holds the trace, and the example. */
  readonly traceFactor: number;
  readonly exampleFactor: number;
  /** Most tokens of one answer of a judge. */
  readonly maxTokens: number;
}

/** How a scorer names its judge: null model = the job's judge, null adapter = the base model. */
export function judgeKey(judgeModel: string | null, judgeAdapter: string | null): string {
  return JSON.stringify([judgeModel, judgeAdapter]);
}

/**
 * Who judges for a scorer, as a part of its identity: the hashes of the targets that it and its children ask, in order. Null when
 * none of them asks anybody.
 */
export function judgeIdentity(scorer: Scorer, judging: Judging | null): string | null {
  const judges = judging === null ? [] : judgesOf(scorer, judging);
  return judges.length === 0 ? null : judges.join(' ');
}

function judgesOf(scorer: Scorer, judging: Judging): string[] {
  const own = 'judge_model' in scorer ? judging.targets[judgeKey(scorer.judge_model, scorer.judge_adapter)] : undefined;
  return [...(own ? [targetHash(own)] : []), ...childScorers(scorer).flatMap((child) => judgesOf(child, judging))];
}

/**
 * What judging one sample can cost at most: what a claim reserves for it. A byte is never more than one token.
 *
 * @param traceBytes of the longest output
 * @param exampleBytes of the longest example: prompt, target, aliases
 */
export function judgedSampleBound(judging: Judging, traceBytes: number, exampleBytes: number): SampleBound {
  const prompt = judging.overheadTokens + judging.traceFactor * traceBytes + judging.exampleFactor * exampleBytes;
  const bounds = Object.values(judging.targets).map((target) =>
    sampleBound(target.pricing, prompt, judging.maxTokens, sampleDeadlineMs(target) / 1000),
  );
  const most = (pick: (bound: SampleBound) => bigint): bigint =>
    bounds.map(pick).reduce((a, b) => (a > b ? a : b), 0n) * BigInt(judging.calls);
  return { costNano: most(({ costNano }) => costNano), tokens: most(({ tokens }) => tokens) };
}
