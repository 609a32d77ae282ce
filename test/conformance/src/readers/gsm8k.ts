import { z } from 'zod';
import { suiteDataSet } from '../data-set.js';
import { ask } from './ask.js';

/** Grade-school word problems. The whole worked solution is an answer, because the last number counts. */
export const gsm8k = suiteDataSet({
  name: 'gsm8k',
  file: 'gsm8k_test.jsonl',
  row: z.object({ id: z.string(), question: z.string(), answer: z.string() }),
  scorer: { kind: 'numeric_tolerance' },
  comparesNeighbours: true,
  read: ({ id, question, answer }) => {
    const target = answer.slice(answer.lastIndexOf('####') + 4).trim();
    return [
      {
        example: { id, messages: ask(question), target },
        answers: [
          { name: 'gold', text: target, expected: 'pass' },
          { name: 'worked solution', text: answer, expected: 'pass' },
        ],
      },
    ];
  },
});
