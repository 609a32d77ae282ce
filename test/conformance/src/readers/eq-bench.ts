import { z } from 'zod';
import { suiteDataSet } from '../data-set.js';
import { ask } from './ask.js';

/** All four scores of an answer that is written as a Python dict. */
const COMPLETE = `(?s)${[1, 2, 3, 4].map((nth) => `'emotion${nth}_score': *\\d+`).join('.*')}.*\\}`;

/** A sample log of lm-eval: whether an answer can be read is the metric `percent_parseable`; the graded score is a formula of its own. */
export const eqBench = suiteDataSet({
  name: 'lmeval_eqbench_es',
  file: 'lmeval_samples_eqbench_es.jsonl',
  row: z.object({
    doc_id: z.number(),
    doc: z.object({ prompt: z.string() }),
    target: z.string(),
    filtered_resps: z.array(z.string()).length(1),
    percent_parseable: z.number(),
  }),
  scorer: { kind: 'pattern_match', pattern: COMPLETE },
  read: ({ doc_id: id, doc: { prompt }, target, filtered_resps: [response], percent_parseable: parseable }) => [
    {
      example: { id: String(id), messages: ask(prompt), target },
      answers: [
        { name: 'gold', text: target, expected: 'pass' },
        { name: 'logged response', text: response!, expected: parseable > 0 ? 'pass' : 'fail' },
      ],
    },
  ],
});
