import { JobState } from '@kiln/contracts';
import { isTerminal } from '@kiln/running';

/** The states of a job that has not ended, as an SQL list: `state IN ${UNFINISHED_STATES}`. Made of our own constants only. */
export const UNFINISHED_STATES = `(${JobState.options
  .filter((state) => !isTerminal(state))
  .map((state) => `'${state}'`)
  .join(', ')})`;
