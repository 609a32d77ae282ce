import { z } from 'zod';
import { suiteDataSet } from '../data-set.js';
import { ask } from './ask.js';

/** One-step word problems; the data writes every number as a float. */
export const svamp = suiteDataSet({
  name: 'svamp',
  file: 'svamp.jsonl',
  row: z.object({ ID: z.string(), Body: z.string(), Question: z.string(), Equation: z.string(), Answer: z.number() }),
  scorer: { kind: 'numeric_tolerance' },
  comparesNeighbours: true,
  read: ({ ID: id, Body: body, Question: question, Equation: equation, Answer: answer }) => [
    {
      example: { id, messages: ask(`${body} ${question}`), target: String(answer) },
      answers: [
        { name: 'gold', text: String(answer), expected: 'pass' },
        { name: 'as a float', text: `${equation} = ${answer.toFixed(1)}`, expected: 'pass' },
        { name: 'with groups of digits', text: `**${answer.toLocaleString('en-US', { maximumFractionDigits: 12 })}**`, expected: 'pass' },
      ],
    },
  ],
});
