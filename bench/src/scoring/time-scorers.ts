import { compileScorer } from '@kiln/scoring';
import { SCORED_WORKLOADS } from './scored-workloads.js';

/** What one scorer did in a second on one core. */
export interface TimedScorer {
  name: string;
  perSecond: number;
  aim: number | null;
  /** How many of its answers passed: the same in every run. */
  passed: number;
}

/** Answers that are made before the clock starts, and scored again and again: making them is not what is measured. */
const DISTINCT = 10_000;

/**
 * Scores `outcomes` answers with each scorer, after a warm-up.
 *
 * @throws Error when a scorer did not pass about half of what it was given: a wrong score is no measurement
 */
export function timeScorers(outcomes: number, onProgress: (line: string) => void): TimedScorer[] {
  return SCORED_WORKLOADS.map(({ name, scorer, aim, input }) => {
    const score = compileScorer(scorer);
    const inputs = Array.from({ length: DISTINCT }, (_, index) => input(index));
    const passes = inputs.filter((one) => score(one).kind === 'pass').length;
    if (Math.abs(passes / inputs.length - 0.5) > 0.05) throw new Error(`${name} passed ${passes} of ${inputs.length} answers, not half`);
    const from = performance.now();
    let passed = 0;
    for (let index = 0; index < outcomes; index += 1) if (score(inputs[index % inputs.length]!).kind === 'pass') passed += 1;
    const perSecond = (outcomes / (performance.now() - from)) * 1000;
    onProgress(`${name}: ${Math.round(perSecond).toLocaleString('en-US')} outcomes/s`);
    return { name, perSecond, aim, passed };
  });
}
