import { z } from 'zod';
import { suiteDataSet } from '../data-set.js';
import { ask } from './ask.js';

const Output = z.object({ verdict: z.enum(['PASS', 'FAIL']), output: z.string() });

/** Real answers of a model under fifteen prompts with promptfoo's verdict on each: our `contains` must come to the same. */
export const promptfooClassification = suiteDataSet({
  name: 'promptfoo_classification',
  file: 'promptfoo_classification_results.jsonl',
  row: z.object({ label: z.string(), text: z.string(), outputs: z.record(z.string(), Output) }),
  scorer: { kind: 'contains', reference_key: 'label' },
  read: ({ label, text, outputs }, line) => [
    {
      example: { id: `line-${line}`, messages: ask(text), target: label, reference: { label } },
      answers: Object.entries(outputs).map(([prompt, { verdict, output }]) => ({
        name: prompt,
        text: output,
        expected: verdict === 'PASS' ? 'pass' : 'fail',
        group: prompt,
      })),
    },
  ],
  /** The counts that the cookbook's results table prints. */
  published: {
    'Haiku: T-0.0 / simple': 48,
    'Haiku: T-0.2 / simple': 48,
    'Haiku: T-0.4 / simple': 47,
    'Haiku: T-0.6 / simple': 49,
    'Haiku: T-0.8 / simple': 48,
    'Haiku: T-0.0 / rag': 64,
    'Haiku: T-0.2 / rag': 63,
    'Haiku: T-0.4 / rag': 64,
    'Haiku: T-0.6 / rag': 64,
    'Haiku: T-0.8 / rag': 61,
    'Haiku: T-0.0 / rag_cot': 65,
    'Haiku: T-0.2 / rag_cot': 65,
    'Haiku: T-0.4 / rag_cot': 64,
    'Haiku: T-0.6 / rag_cot': 64,
    'Haiku: T-0.8 / rag_cot': 65,
  },
});
