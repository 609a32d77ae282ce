/** What the decoding loop knows when it asks what to do next. */
export interface LineView {
  /** Rows that are over, or that nobody wants any more. */
  readonly finished: number;
  /** Rows that a step would advance. */
  readonly live: number;
  /** Rows that there is room for. */
  readonly room: number;
  /** A prompt is being read and has chunks left. */
  readonly isReading: boolean;
  /** Tokens of prompts that were read since the last step. */
  readonly readSinceStep: number;
  /** Samples of this round that wait for a row. */
  readonly joining: number;
  /** Samples that wait for a round. */
  readonly waiting: number;
  /** The oldest of them could decode with the rows that are there. */
  readonly oldestFits: boolean;
}

/**
 * `retire`: give up rows that are over. `read`: the next chunk of the prompt. `admit`: the round's next sample gets a row. `round`: those that
 * wait and fit become the next round. `step`: one token for every row. `open`: the line changes to what the oldest one needs.
 */
export type Action = 'retire' | 'read' | 'admit' | 'round' | 'step' | 'open' | 'idle';

/** Tokens of prompts after which rows get a step of their own, so that long prompts do not keep them waiting. */
export const READ_BETWEEN_STEPS = 512;

/**
 * Rows are filled before they are advanced: a step costs nearly the same for one row as for many. A line changes only when it has run
 * empty, and those who came later never go before a whole round of those who were there.
 */
export function decideNext(view: LineView): Action {
  if (view.finished > 0) return 'retire';
  const stepIsDue = view.live > 0 && view.readSinceStep >= READ_BETWEEN_STEPS;
  if (view.isReading) return stepIsDue ? 'step' : 'read';
  const hasRoom = view.live < view.room && !stepIsDue;
  if (view.joining > 0 && hasRoom) return 'admit';
  if (view.joining === 0 && view.waiting > 0 && view.oldestFits && hasRoom) return 'round';
  if (view.live > 0) return 'step';
  return view.waiting > 0 ? 'open' : 'idle';
}
