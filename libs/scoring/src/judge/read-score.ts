import { type Pattern } from '../compile-pattern.js';
import { type Reading } from './reading.js';
import { readJudgment } from './read-judgment.js';

const NUMBER = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The score that a judge's reply states, on the judge's own scale: a finite number, all of what the pattern captured. */
export function readScore(pattern: Pattern, reply: string): Reading<number> {
  return readJudgment(pattern, reply, (captured) => {
    const written = captured.trim();
    const score = NUMBER.test(written) ? Number(written) : Number.NaN;
    return Number.isFinite(score) ? score : null;
  });
}
