import { z } from 'zod';
import { suiteDataSet } from '../data-set.js';
import { callForms, callsTarget } from '../tool-call-forms.js';
import { ask } from './ask.js';

const TOOL = {
  type: 'function',
  function: { name: 'bash', parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] } },
};

/** Shell commands for sentences. The gold command is the target; commands are compared as text here, nothing is run. */
export const intercodeBash = suiteDataSet({
  name: 'intercode_bash',
  file: 'intercode_bash.jsonl',
  row: z.object({ model: z.string(), task_id: z.number(), query: z.string(), gold: z.string() }),
  scorer: { kind: 'tool_call', args: { kind: 'auto' } },
  header: { tools: [TOOL], system_prompt: 'Answer with one call of bash.' },
  comparesNeighbours: true,
  read: ({ model, task_id: task, query, gold }) => {
    // The same tasks are there for four models.
    if (model !== 'gpt-4') return { leftOut: 'the same task again, with the steps of another model' };
    const calls = [{ name: 'bash', arguments: { command: gold } }];
    return [{ example: { id: `task-${task}`, messages: ask(query), target: callsTarget(calls) }, answers: callForms(calls, 'gold') }];
  },
});
