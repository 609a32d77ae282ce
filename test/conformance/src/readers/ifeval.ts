import { z } from 'zod';
import { suiteDataSet } from '../data-set.js';
import { ask } from './ask.js';
import { findInstructionScorer } from './ifeval-instructions.js';

/** Prompts whose instructions can be checked. Nobody has answered them here, so that they are imported only. */
export const ifeval = suiteDataSet({
  name: 'ifeval',
  file: 'ifeval_input.jsonl',
  row: z.object({
    key: z.number(),
    prompt: z.string(),
    instruction_id_list: z.array(z.string()).min(1),
    kwargs: z.array(z.record(z.string(), z.json())),
  }),
  scorer: { kind: 'all', scorers: [{ kind: 'pattern_match', pattern: '.' }] },
  read: ({ key, prompt, instruction_id_list: ids, kwargs }) => {
    const scorers = ids.map((id, index) => findInstructionScorer(id, kwargs[index] ?? {}));
    const missing = ids.filter((_, index) => scorers[index] === null);
    if (missing.length > 0) return { leftOut: `no scorer expresses ${missing[0]}` };
    return [{ example: { id: String(key), messages: ask(prompt), scorer: { kind: 'all', scorers } as never }, answers: [] }];
  },
});
