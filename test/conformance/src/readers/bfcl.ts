import { type JsonObject, type JsonValue } from '@kiln/contracts';
import { z } from 'zod';
import { type SuiteDataSet, suiteDataSet } from '../data-set.js';
import { callForms, callsTarget, type WrittenCall } from '../tool-call-forms.js';

const Tool = z.record(z.string(), z.json());
const Question = z.array(z.array(z.object({ role: z.enum(['user', 'system']), content: z.string() }))).length(1);
/** Each argument lists its acceptable values; an empty text among them says that it may be left out. */
const Call = z.record(z.string(), z.record(z.string(), z.array(z.json())));

const SCORER = { kind: 'tool_call', name_match: { kind: 'exact' }, args: { kind: 'structural' } };

/** Questions whose right calls are listed with all acceptable values. Each acceptable value is an answer, in every form of a call. */
function calls(name: string, exceptions: Readonly<Record<string, string>> = {}): SuiteDataSet {
  return suiteDataSet({
    name,
    file: `${name}.jsonl`,
    row: z.object({ id: z.string(), question: Question, function: z.array(Tool), ground_truth: z.array(Call) }),
    scorer: SCORER,
    comparesNeighbours: true,
    exceptions,
    read: ({ id, question, function: tools, ground_truth: truth }) => {
      const variants = new Map(acceptableCalls(truth as AcceptableCall[]).map((written) => [callsTarget(written), written]));
      const [target, ...aliases] = variants.keys();
      const answers = [...variants.values()].flatMap((written, index) => callForms(written, `variant ${index}`));
      return [{ example: { id, messages: question[0]!, tools: tools.map(asTool), target: target!, aliases }, answers }];
    },
  });
}

export const bfclSimple = calls('bfcl_simple_python');
export const bfclMultiple = calls('bfcl_multiple');
export const bfclParallel = calls('bfcl_parallel');

/** Questions that no offered function answers: right is who calls none. */
export const bfclIrrelevance = suiteDataSet({
  name: 'bfcl_irrelevance',
  file: 'bfcl_irrelevance.jsonl',
  row: z.object({ id: z.string(), question: Question, function: z.array(Tool).min(1) }),
  scorer: SCORER,
  read: ({ id, question, function: tools }) => [
    {
      example: { id, messages: question[0]!, tools: tools.map(asTool), target: callsTarget([]) },
      answers: [
        { name: 'no call', text: 'None of the functions that I have can answer that.', expected: 'pass' },
        ...callForms([{ name: String(tools[0]!['name']), arguments: {} }], 'a call').map((form) => ({
          ...form,
          expected: 'wrong' as const,
        })),
      ],
    },
  ],
});

function asTool(tool: JsonObject): JsonObject {
  return { type: 'function', function: tool };
}

type AcceptableCall = Readonly<Record<string, Readonly<Record<string, readonly JsonValue[]>>>>;

/** As many lists of calls as the longest list of values is long: the n-th takes the n-th value of each argument, or its last. */
function acceptableCalls(truth: readonly AcceptableCall[]): WrittenCall[][] {
  const lists = truth.flatMap((call) => Object.values(call).flatMap((values) => Object.values(values)));
  const most = Math.max(1, ...lists.map((values) => values.length));
  return Array.from({ length: most }, (_, nth) =>
    truth.flatMap((call) => Object.entries(call).map(([name, values]) => ({ name, arguments: nthValues(values, nth) }))),
  );
}

function nthValues(values: Readonly<Record<string, readonly JsonValue[]>>, nth: number): JsonObject {
  const chosen = Object.entries(values).map(([key, list]) => [key, nthValue(list[Math.min(nth, list.length - 1)]!)] as const);
  return Object.fromEntries(chosen.filter(([, value]) => value !== ''));
}

/** Objects inside of values list acceptable values again. */
function nthValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(nthValue);
  if (typeof value !== 'object' || value === null) return value;
  return nthValues(value as Record<string, JsonValue[]>, 0);
}
