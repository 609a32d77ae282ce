import { z } from 'zod';
import { type ReadRow, suiteDataSet } from '../data-set.js';
import { ask } from './ask.js';
import { shareGptMessages, ShareGptTurn } from './share-gpt.js';

/** Templated answers, `{{name}}` included, are compared to the letter. */
const scorer = { kind: 'exact_match' };

function goldOnly(id: string, messages: ReturnType<typeof ask>, target: string): ReadRow {
  return [{ example: { id, messages, target }, answers: [{ name: 'gold', text: `${target}\n`, expected: 'pass' }] }];
}

/** Instructions with one answer; many are near duplicates. */
export const identity = suiteDataSet({
  name: 'identity',
  file: 'sft_identity.jsonl',
  row: z.object({ instruction: z.string(), input: z.string(), output: z.string() }),
  scorer,
  comparesNeighbours: true,
  read: ({ instruction, input, output }, line) =>
    goldOnly(`line-${line}`, ask(input === '' ? instruction : `${instruction}\n${input}`), output),
});

/** Conversations of several turns: the last answer is the target. */
export const shareGptDummy = suiteDataSet({
  name: 'sharegpt_dummy',
  file: 'sft_sharegpt_dummy.jsonl',
  row: z.object({ id: z.string(), conversations: z.array(ShareGptTurn).min(2) }),
  scorer,
  comparesNeighbours: true,
  read: ({ id, conversations }) => goldOnly(id, shareGptMessages(conversations.slice(0, -1)), conversations.at(-1)!.value),
});

const Part = z.object({ type: z.literal('text'), value: z.string() });
const PartsMessage = z.object({ role: z.enum(['user', 'assistant']), content: z.array(Part) });

/** Messages whose content is a list of parts. */
export const contentParts = suiteDataSet({
  name: 'content_parts',
  file: 'sft_v1_content_parts_demo.jsonl',
  row: z.object({ messages: z.array(PartsMessage).min(2) }),
  scorer,
  comparesNeighbours: true,
  read: ({ messages }, line) => {
    const texts = messages.map(({ role, content }) => ({ role, content: content.map(({ value }) => value).join('') }));
    return goldOnly(`line-${line}`, texts.slice(0, -1), texts.at(-1)!.content);
  },
});
