import { z } from 'zod';
import { suiteDataSet } from '../data-set.js';
import { ask } from './ask.js';

const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;

const FILE = 'math500.jsonl';
const Row = z.object({ problem: z.string(), solution: z.string(), answer: z.string(), unique_id: z.string(), subject: z.string() });

/** Competition problems. Only answers that are one plain number can be compared as numbers. */
export const math500 = suiteDataSet({
  name: 'math500',
  file: FILE,
  row: Row,
  scorer: { kind: 'numeric_tolerance' },
  comparesNeighbours: true,
  read: ({ problem, answer, unique_id: id, subject }) => {
    if (!PLAIN_NUMBER.test(answer))
      return { leftOut: 'the answer is LaTeX, whose equal forms only a computer algebra system knows; math500_boxed compares it as text' };
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

/** What stands between the braces, which may hold braces three deep. */
const BOXED = String.raw`\\boxed\{((?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)\}`;

/** The same problems, with the worked solutions as answers: the boxed text must be the answer, in its one form. */
export const math500Boxed = suiteDataSet({
  name: 'math500_boxed',
  file: FILE,
  row: Row,
  scorer: { kind: 'regex', pattern: BOXED, capture_group: 1 },
  comparesNeighbours: true,
  read: ({ problem, answer, solution, unique_id: id, subject }) => [
    {
      example: { id, messages: ask(problem), target: answer, category: subject },
      answers: [{ name: 'worked solution', text: solution, expected: 'pass' }],
    },
  ],
});
