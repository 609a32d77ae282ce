import { z } from 'zod';
import { suiteDataSet } from '../data-set.js';
import { shareGptMessages, ShareGptTurn } from './share-gpt.js';

/** Which of two answers is better, a judge must say: they are imported, and no answer is scored. */
export const preferences = suiteDataSet({
  name: 'preferences',
  file: 'pref_dpo_en_demo.jsonl',
  row: z.object({ conversations: z.array(ShareGptTurn).min(1), chosen: ShareGptTurn, rejected: ShareGptTurn }),
  scorer: { kind: 'pairwise_judge' },
  read: ({ conversations, rejected }, line) => [
    { example: { id: `line-${line}`, messages: shareGptMessages(conversations), target: rejected.value }, answers: [] },
  ],
});
