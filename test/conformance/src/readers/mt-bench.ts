import { z } from 'zod';
import { suiteDataSet } from '../data-set.js';
import { ask } from './ask.js';

const TEMPLATE = 'Rate the answer from 0 to 1.\n\nQuestion: {question}\n\nAnswer: {answer}\n\nEnd with a line "score: <number>".';
const WITH_REFERENCE = TEMPLATE.replace('Answer:', 'Reference: {target}\n\nAnswer:');

/** First turns of open questions. What is good, a judge must say; the second turn needs an answer to the first. */
export const mtBench = suiteDataSet({
  name: 'mt_bench',
  file: 'mt_bench_questions.jsonl',
  row: z.object({
    question_id: z.number(),
    category: z.string(),
    turns: z.array(z.string()).min(1),
    reference: z.array(z.string()).optional(),
  }),
  scorer: { kind: 'llm_judge', template: TEMPLATE },
  read: ({ question_id: id, category, turns, reference }) => {
    const target = reference?.[0] ?? null;
    const scorer = target === null ? null : { kind: 'llm_judge', template: WITH_REFERENCE };
    return [{ example: { id: String(id), messages: ask(turns[0]!), category, target, ...(scorer && { scorer }) }, answers: [] }];
  },
});
