import { z } from 'zod';
import { type KnownAnswer, suiteDataSet } from '../data-set.js';
import { ask } from './ask.js';
import { choiceAnswers } from './choice-answers.js';

const gold = (text: string): KnownAnswer => ({ name: 'gold', text, expected: 'pass' });

/** Ten tasks of BIG-Bench Hard, each with the scorer that its targets ask for. */
export const bbh = suiteDataSet({
  name: 'bbh',
  file: 'bbh.jsonl',
  row: z.object({ task: z.string(), i: z.number(), input: z.string(), target: z.string() }),
  scorer: { kind: 'exact_match' },
  comparesNeighbours: true,
  read: ({ task, i, input, target }) => {
    const example = { id: `${task}-${i}`, messages: ask(input), category: task };
    const choice = /^\(([A-Z])\)$/.exec(target)?.[1];
    if (choice !== undefined) {
      const options = new Map(Array.from(input.matchAll(/^\(([A-Z])\) (.*)$/gm), ([, label, text]) => [label!, text!]));
      const choices = [...options.keys()];
      const answers = [gold(target), ...choiceAnswers(choices, choice, options.get(choice) ?? '')];
      return [{ example: { ...example, target: choice, scorer: { kind: 'multiple_choice', choices } }, answers }];
    }
    if (/^-?\d+$/.test(target))
      return [{ example: { ...example, target, scorer: { kind: 'numeric_tolerance' } }, answers: [gold(target)] }];
    // Words in order and brackets that close: every character counts, white space around them does not.
    return [{ example: { ...example, target }, answers: [gold(target), { ...gold(`\n${target}  \n`), name: 'with space around it' }] }];
  },
});
