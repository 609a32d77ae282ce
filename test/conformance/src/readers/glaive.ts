import { type JsonObject } from '@kiln/contracts';
import { z } from 'zod';
import { suiteDataSet } from '../data-set.js';
import { callForms, callsTarget } from '../tool-call-forms.js';
import { shareGptCall, shareGptMessages, ShareGptTurn } from './share-gpt.js';

/** Conversations with tools; the list of tools is JSON in a string. Each turn that answers a person is an example: a call, or none. */
export const glaive = suiteDataSet({
  name: 'glaive',
  file: 'sft_glaive_toolcall_en_demo.jsonl',
  row: z.object({ conversations: z.array(ShareGptTurn), tools: z.string() }),
  scorer: { kind: 'tool_call', name_match: { kind: 'exact' }, args: { kind: 'structural' } },
  comparesNeighbours: true,
  read: ({ conversations, tools: toolText }, line) => {
    const tools = JSON.parse(toolText) as JsonObject[];
    return conversations.flatMap((turn, position) => {
      if (conversations[position - 1]?.from !== 'human') return [];
      const calls = turn.from === 'function_call' ? [shareGptCall(turn)] : [];
      const example = {
        id: `line-${line}-turn-${position}`,
        messages: shareGptMessages(conversations.slice(0, position)),
        tools,
        target: callsTarget(calls),
        cluster: `line-${line}`,
      };
      if (calls.length > 0) return [{ example, answers: callForms(calls, 'gold') }];
      return [{ example, answers: [{ name: 'gold', text: turn.value, expected: 'pass' as const }] }];
    });
  },
});
