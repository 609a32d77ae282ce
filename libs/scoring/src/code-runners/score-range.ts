import { type ScoreType } from '@kiln/contracts';

/** The least and the most that a score of this type can be (contracts.md §4.3). */
export function scoreRange(type: ScoreType): readonly [least: number, most: number] {
  switch (type) {
    case 'five_star':
      return [1, 5];
    case 'pass_fail':
      return [0, 1];
    case 'pass_fail_critical':
      return [-1, 1];
  }
}

/** A value in the range of its type, brought to [0, 1]. */
export function normalScore(type: ScoreType, value: number): number {
  const [least, most] = scoreRange(type);
  return (value - least) / (most - least);
}
