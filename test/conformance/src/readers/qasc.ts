import { z } from 'zod';
import { suiteDataSet } from '../data-set.js';
import { ask } from './ask.js';
import { choiceAnswers } from './choice-answers.js';

const LABELS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];

const Choice = z.object({ text: z.string(), label: z.enum(LABELS) });

/** Eight-choice science questions. */
export const qasc = suiteDataSet({
  name: 'qasc',
  file: 'qasc_8way_mcq.jsonl',
  row: z.object({
    id: z.string(),
    formatted_question: z.string(),
    question: z.object({ choices: z.array(Choice).length(8) }),
    answerKey: z.enum(LABELS),
  }),
  scorer: { kind: 'multiple_choice', choices: LABELS },
  read: ({ id, formatted_question: question, question: { choices }, answerKey: target }) => [
    {
      example: { id, messages: ask(question), target },
      answers: choiceAnswers(LABELS, target, choices.find(({ label }) => label === target)!.text),
    },
  ],
});
