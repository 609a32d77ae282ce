import { mean } from '@kiln/statistics';
import { fallbackKind } from './fallback-kind.js';
import { type JudgedRows, type ReducibleRow, type Reduction } from './reduction.js';

const PASS_FROM = 0.5;
/** Distances from the mean that differ by less are ties: 0.1 and 0.3 are equally far from 0.2, in decimals. */
const TIE = 1e-12;

/**
 * Expected quality: the mean score; passes from 0.5 up, 0.5 included.
 *
 * A group without any pass or fail was never graded, so it keeps its fallback kind (`invalid` or `error`); its score is
 * the mean all the same. Represented by the completion whose score is nearest the mean, the lowest index among ties.
 */
export function meanAtK(rows: JudgedRows): Reduction {
  const score = mean(rows.map((row) => row.score)) as number;
  const graded = rows.some((row) => row.kind === 'pass' || row.kind === 'fail');
  const kind = graded ? (score >= PASS_FROM ? 'pass' : 'fail') : fallbackKind(rows);
  return { kind, score, representative: nearest(rows, score) };
}

function nearest(rows: JudgedRows, score: number): ReducibleRow {
  let best: ReducibleRow = rows[0];
  for (const row of rows) {
    if (Math.abs(row.score - score) < Math.abs(best.score - score) - TIE) best = row;
  }
  return best;
}
