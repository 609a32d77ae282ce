import { z } from 'zod';
import { suiteDataSet } from '../data-set.js';
import { ask } from './ask.js';
import { choiceAnswers } from './choice-answers.js';

const LABELS = ['A', 'B', 'C', 'D'];

/** Four-choice questions of science and mathematics. */
export const mmluStem = suiteDataSet({
  name: 'mmlu_stem',
  file: 'mmlu_stem.jsonl',
  row: z.object({
    id: z.number(),
    question: z.string(),
    options: z.array(z.string()).length(4),
    answer: z.enum(['A', 'B', 'C', 'D']),
    topic: z.string(),
  }),
  scorer: { kind: 'multiple_choice' },
  read: ({ id, question, options, answer, topic }) => [
    {
      example: {
        id: `${topic}-${id}`,
        messages: ask([question, ...options.map((option, index) => `${LABELS[index]}. ${option}`)].join('\n')),
        target: answer,
        category: topic,
      },
      answers: choiceAnswers(LABELS, answer, options[LABELS.indexOf(answer)]!),
    },
  ],
  exceptions: { 'line 9': 'the file has a bare NaN for an option: not JSON, and the option is lost' },
});
