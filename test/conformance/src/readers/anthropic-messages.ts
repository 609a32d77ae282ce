import { type JsonObject } from '@kiln/contracts';
import { z } from 'zod';
import { suiteDataSet } from '../data-set.js';
import { callForms, callsTarget } from '../tool-call-forms.js';
import { ask } from './ask.js';

const Text = z.object({ type: z.literal('text'), text: z.string() });
const ToolUse = z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.record(z.string(), z.json()) });
const Tool = z.object({ name: z.string(), description: z.string().optional(), input_schema: z.record(z.string(), z.json()) });
const Turn = z.object({ role: z.enum(['user', 'assistant']), content: z.union([z.string(), z.array(z.json())]) });

/** Questions that were answered by a tool, in Anthropic's message format: the first answer is the target. */
export const anthropicMessages = suiteDataSet({
  name: 'anthropic_messages',
  file: 'traj_anthropic_cookbook.jsonl',
  row: z.object({ source: z.string(), tools: z.array(Tool), messages: z.array(Turn).min(2) }),
  scorer: { kind: 'tool_call', args: { kind: 'structural' } },
  comparesNeighbours: true,
  read: ({ source, tools, messages: [question, answer] }, line) => {
    const blocks = z.array(z.discriminatedUnion('type', [Text, ToolUse])).parse(answer!.content);
    const uses = blocks.filter((block) => block.type === 'tool_use');
    const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    const calls = uses.map(({ name, input }) => ({ name, arguments: input as JsonObject }));
    return [
      {
        example: {
          id: `line-${line}`,
          messages: ask(z.string().parse(question!.content)),
          tools: tools.map(
            ({ input_schema: parameters, ...rest }) => ({ type: 'function', function: { ...rest, parameters } }) as JsonObject,
          ),
          target: callsTarget(calls),
          source: { dataset: source },
        },
        answers: [{ name: 'recorded', text, toolCalls: uses, expected: 'pass' }, ...callForms(calls, 'gold')],
      },
    ];
  },
});
