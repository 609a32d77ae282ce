import { fallbackKind } from './fallback-kind.js';
import { type JudgedRows, type Reduction } from './reduction.js';

/**
 * Sampled consistency: passes when strictly more than half passed. Not a vote over answers: two of five correct is a
 * fail even when no wrong answer was given twice.
 * Represented by the first completion of the deciding side.
 */
export function majorityAtK(rows: JudgedRows): Reduction {
  const passes = rows.filter((row) => row.kind === 'pass');
  const passed = passes.length * 2 > rows.length;
  const representative = rows.find((row) => (row.kind === 'pass') === passed) ?? rows[0];
  return { kind: passed ? 'pass' : fallbackKind(rows), score: passed ? 1 : 0, representative };
}
