import { Message, Tool } from '@kiln/contracts';
import { z } from 'zod';
import { suiteDataSet } from '../data-set.js';
import { callsTarget } from '../tool-call-forms.js';

const Call = z.object({ function: z.object({ name: z.string(), arguments: z.string() }) }).loose();

/** Conversations as fine-tuning files of OpenAI write them: no content beside calls, and in one row arguments encoded twice. */
export const drone = suiteDataSet({
  name: 'openai_drone',
  file: 'sft_openai_cookbook_drone.jsonl',
  row: z.object({ messages: z.array(z.json()).min(2), tools: z.array(Tool) }),
  scorer: { kind: 'tool_call', args: { kind: 'structural' } },
  read: ({ messages, tools }, line) => {
    const { tool_calls: calls } = z.object({ tool_calls: z.array(Call).min(1) }).parse(messages.at(-1));
    const decoded = calls.map((call) => ({ name: call.function.name, arguments: decode(call.function.arguments) }));
    return [
      {
        example: { id: `line-${line}`, messages: z.array(Message).parse(messages.slice(0, -1)), tools, target: callsTarget(decoded) },
        answers: [{ name: 'gold', text: '', toolCalls: calls, expected: 'pass' }],
      },
    ];
  },
});

function decode(text: string): Record<string, never> {
  const value: unknown = JSON.parse(text);
  return typeof value === 'string' ? decode(value) : (value as Record<string, never>);
}
