import { type Message, type Tool } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { scoreAnswer, scoringInput } from '../score-answer.fixture.js';
import { findThirdPartyVectors } from '../vectors/find-third-party.fixture.js';
import { answeredCalls } from './answered-calls.js';
import { decodeArguments } from './decode-arguments.js';

const vectors = findThirdPartyVectors('tool_calls.json');

interface Call {
  name: string;
  arguments: Record<string, unknown>;
}
interface ComparedCase {
  id: string;
  mutation: string;
  calls: Call[];
  target: Call[];
  structural_equal_ordered: boolean;
}
interface TextCase {
  text: string;
  calls: Call[];
  tool_schema: object | null;
}
interface ArgumentsCase {
  raw_arguments: string;
  arguments: object | null;
  parse_error: boolean | null;
}
interface TracedMessage {
  role: string;
  content?: string;
  tool_calls?: { function: { name: string; arguments: string } }[];
}
interface TrajectoryCase {
  test: string;
  config: { trajectory_match_mode?: string; tool_args_match_mode?: string };
  outputs: TracedMessage[];
  reference: TracedMessage[];
  expected: boolean;
}

/** Where the contract says something else than the vectors, and why: contracts.md §1.8 and §4.3. */
const OTHERWISE = {
  /** Of a target with several calls, one may be flawed: the mean over the calls passes from 0.8 on. */
  partialCredit: ({ target }: ComparedCase, score: number) => target.length > 1 && score >= 0.8 - 1e-9 && score < 1,
  /** Arguments that are no object stand under `args`. */
  text: new Map([['do_thing', { args: 'hello' }]]),
  arguments: new Map<string, object>([
    ['I am not a dictionary!', { args: 'I am not a dictionary!' }],
    ['True', { args: true }],
    ['[1]', { args: [1] }],
  ]),
  /** No comparison of single fields by functions; and `ordered` is ordered, calls of one message included. */
  trajectories: (test: string, mode: string) =>
    test.includes('override') || (test === 'test_trajectory_with_different_tool_message_order' && mode === 'strict'),
};

const canonical = (calls: readonly Call[]): string => JSON.stringify({ tool_calls: calls });

describe.skipIf(vectors === null)('tool_calls.json', () => {
  const compared: ComparedCase[] = vectors?.compare ?? [];
  const scorer = { kind: 'tool_call', name_match: { kind: 'exact' }, args: { kind: 'structural' } };

  it('full marks are JSON equality in order, and only they pass, partial credit aside', () => {
    for (const sample of compared) {
      const { kind, score } = scoreAnswer(scorer, canonical(sample.calls), { target: canonical(sample.target) });
      const label = `${sample.id} ${sample.mutation}`;
      expect(score === 1, label).toBe(sample.structural_equal_ordered);
      if (OTHERWISE.partialCredit(sample, score)) continue;
      expect(kind === 'pass', label).toBe(sample.structural_equal_ordered);
    }
  });

  it('each target passes against itself in every form that models write', () => {
    const object = ({ name, arguments: values }: Call): string => JSON.stringify({ name, arguments: values });
    const forms: ((calls: readonly Call[]) => string)[] = [
      (calls) => calls.map((call) => `<tool_call>\n${object(call)}\n</tool_call>`).join('\n'),
      (calls) => `<|python_tag|>${calls.map(object).join('; ')}`,
      (calls) => `[${calls.map(object).join(', ')}]`,
      (calls) => calls.map(({ name, arguments: values }) => `<function=${name}>${JSON.stringify(values)}</function>`).join(''),
      (calls) => calls.map((call) => `\`\`\`tool_call\n${object(call)}\n\`\`\``).join('\n'),
      (calls) => `I will call ${calls.map(object).join('\n')} now.`,
      (calls) =>
        JSON.stringify({
          tool_calls: calls.map(({ name, arguments: values }) => ({
            type: 'function',
            function: { name, arguments: JSON.stringify(values) },
          })),
        }),
    ];
    for (const { target, id } of compared) {
      for (const [index, form] of forms.entries()) {
        const { kind, score } = scoreAnswer(scorer, form(target), { target: canonical(target) });
        expect({ kind, score }, `${id} form ${index}`).toEqual({ kind: 'pass', score: 1 });
      }
    }
  });

  it('reads texts', () => {
    for (const { text, calls, tool_schema: schema } of (vectors?.parse_text ?? []) as TextCase[]) {
      const tools = schema === null ? null : calls.map(({ name }) => ({ name, parameters: schema }) as unknown as Tool);
      const found = answeredCalls(scoringInput(text, { tools })).calls.map(({ name, arguments: values }) => ({ name, arguments: values }));
      expect(found, text).toEqual(calls.map((call) => ({ ...call, arguments: OTHERWISE.text.get(call.name) ?? call.arguments })));
    }
  });

  it('decodes arguments', () => {
    for (const { raw_arguments: raw, arguments: values, parse_error: fails } of (vectors?.parse_arguments ?? []) as ArgumentsCase[]) {
      const decoded = decodeArguments(raw);
      const otherwise = OTHERWISE.arguments.get(raw);
      expect(decoded.undecoded, raw).toBe(otherwise === undefined && fails === true);
      // What cannot be decoded stands for no arguments.
      expect(decoded.undecoded ? {} : decoded.arguments, raw).toEqual(otherwise ?? values);
    }
  });

  it('matches trajectories', () => {
    for (const { test, config, outputs, reference, expected } of (vectors?.trajectory_match_openevals?.cases ?? []) as TrajectoryCase[]) {
      const mode = config.trajectory_match_mode ?? 'strict';
      if (OTHERWISE.trajectories(test, mode)) continue;
      expect(matches(outputs, reference, mode, config.tool_args_match_mode ?? 'exact'), `${test} ${JSON.stringify(config)}`).toBe(expected);
    }
  });
});

/** The peer's modes, put together of ours: our expectations name what must be there, so "nothing else" is the other direction. */
function matches(outputs: TracedMessage[], reference: TracedMessage[], mode: string, argumentsMode: string): boolean {
  const wantsReference = argumentsMode === 'exact' || argumentsMode === 'superset';
  const wantsOutputs = argumentsMode === 'exact' || argumentsMode === 'subset';
  const match = mode === 'strict' ? 'ordered' : 'all';
  const hasReference = mode === 'subset' || covers(outputs, reference, match, wantsReference);
  const hasOutputs = mode === 'superset' || covers(reference, outputs, match, wantsOutputs);
  return hasReference && hasOutputs && (mode !== 'strict' || sameSteps(outputs, reference));
}

/** Whether the trace has all calls of the other one. */
function covers(trace: TracedMessage[], other: TracedMessage[], match: string, withArguments: boolean): boolean {
  const expected = other
    .flatMap(({ tool_calls: calls }) => calls ?? [])
    .map(({ function: { name, arguments: written } }) => ({
      tool_name: name,
      expected_args: withArguments
        ? Object.fromEntries(Object.entries(JSON.parse(written) as object).map(([key, value]) => [key, { value: value as unknown }]))
        : null,
    }));
  return expected.length === 0 || passes({ kind: 'tool_call_check', match_mode: match, expected_tools: expected }, trace);
}

function sameSteps(trace: TracedMessage[], other: TracedMessage[]): boolean {
  const count = other.filter(({ role }) => role === 'assistant').length;
  return passes({ kind: 'step_count_check', count_type: 'model_responses', min_count: count, max_count: count }, trace);
}

function passes(scorer: object, trace: TracedMessage[]): boolean {
  const answer = trace.at(-1)!;
  const messages = trace.slice(0, -1).map((message) => ({ content: '', ...message })) as unknown as Message[];
  return scoreAnswer(scorer, answer.content ?? '', { messages, toolCalls: answer.tool_calls ?? null }).kind === 'pass';
}
