import { z } from 'zod';
import { suiteDataSet } from '../data-set.js';
import { ask } from './ask.js';

const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Competition problems. Only answers that are one plain number can be compared as numbers. */
export const math500 = suiteDataSet({
  name: 'math500',
  file: 'math500.jsonl',
  row: z.object({ problem: z.string(), solution: z.string(), answer: z.string(), unique_id: z.string(), subject: z.string() }),
  scorer: { kind: 'numeric_tolerance' },
  comparesNeighbours: true,
  read: ({ problem, answer, unique_id: id, subject }) => {
    if (!PLAIN_NUMBER.test(answer)) return { leftOut: 'the answer is LaTeX, whose equal forms only a computer algebra system knows' };
    return [
      {
        example: { id, messages: ask(problem), target: answer, category: subject },
        answers: [
          { name: 'gold', text: answer, expected: 'pass' },
          { name: 'boxed', text: `Therefore the answer is $\\boxed{${answer}}$.`, expected: 'pass' },
        ],
      },
    ];
  },
});
