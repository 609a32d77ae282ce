import { type PageExample } from '@kiln/database';
import { type ComparedExample } from '@kiln/verdicts';
import { type ReducedExample, type RunReducer } from './run-reducer.js';
import { sampleFacts } from './sample-facts.js';

type Side = readonly [run: RunReducer, reduced: ReadonlyMap<number, ReducedExample>];

/** The examples of a page as two of its runs came out, in suite order. */
export function* comparedExamples(examples: readonly PageExample[], baseline: Side, candidate: Side): Generator<ComparedExample> {
  for (const { ordinal, key, cluster, category, split } of examples) {
    yield {
      ordinal,
      example_id: key,
      cluster,
      category,
      split,
      baseline: baseline[1].get(ordinal)?.outcome ?? null,
      candidate: candidate[1].get(ordinal)?.outcome ?? null,
      baseline_samples: samplesOf(baseline, ordinal),
      candidate_samples: samplesOf(candidate, ordinal),
    };
  }
}

function samplesOf([run, reduced]: Side, ordinal: number): ComparedExample['baseline_samples'] {
  return (reduced.get(ordinal)?.rows ?? []).map((row) => sampleFacts(row, run.isFree));
}
