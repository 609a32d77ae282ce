import { type Pattern } from '../compile-pattern.js';
import { type Reading } from './reading.js';
import { readJudgment } from './read-judgment.js';
import { type SeatPick } from './resolve-both-orders.js';

/** A judgment in double brackets, as an RE2 pattern. */
export const PICK_PATTERN = '\\[\\[([^\\[\\]\\n]{1,32})\\]\\]';

/** The forms of MT-Bench and Arena-Hard; letters are capitals. */
const PICKS = new Map<string, SeatPick>([
  ['A', 'a'],
  ['A>B', 'a'],
  ['A>>B', 'a'],
  ['B<A', 'a'],
  ['B<<A', 'a'],
  ['B', 'b'],
  ['B>A', 'b'],
  ['B>>A', 'b'],
  ['A<B', 'b'],
  ['A<<B', 'b'],
  ['C', 'tie'],
  ['A=B', 'tie'],
  ['B=A', 'tie'],
]);

/**
 * Which response a judge's reply picks: `[[A]]`, `[[B]]`, `[[C]]` for a tie.
 *
 * @param pattern {@link PICK_PATTERN}, compiled
 */
export function readPick(pattern: Pattern, reply: string): Reading<SeatPick> {
  return readJudgment(pattern, reply, (captured) => PICKS.get(captured.replaceAll(' ', '')) ?? null);
}
