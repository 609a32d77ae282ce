import { type ScorerOf } from '@kiln/contracts';
import { argumentText, type ArgumentValue } from '../tool-calls/argument-value.js';
import { readToolCalls } from '../tool-calls/read-tool-calls.js';
import { type ToolCall } from '../tool-calls/tool-call.js';
import { type Mutant, type MutateExample, mayPass, mustNotPass, mustPass } from './mutant.js';
import { wrongTexts } from './wrong-texts.js';

type ToolCallScorer = ScorerOf<'tool_call'>;
type Call = Pick<ToolCall, 'name' | 'arguments'>;

/** A prediction passes from this score on (contracts.md §1.8). */
const PASS = 0.8;
/** What a value that has nothing to do with the wanted one scores at most: a command of another program. */
const UNRELATED = 0.1;

export function proveToolCall(scorer: ToolCallScorer): MutateExample {
  return (example) => {
    if (example.target === null) return null;
    const { calls, statesNone } = readToolCalls(example.target, example.tools);
    const [first, ...rest] = calls;
    const others = example.aliases.flatMap((alias) => readToolCalls(alias, example.tools).calls);
    if (first === undefined) return statesNone && others.length === 0 ? noCall(example.target) : null;
    const isXml = calls.every(({ format }) => format === 'qwen3_xml');
    const write = scorer.require_xml_format ? writeXml : writeJson;
    const other = { ...first, name: otherName(scorer, [...calls, ...others]) };
    return [
      ...(scorer.require_xml_format && !isXml ? [] : [mustPass('target', example.target)]),
      ...(scorer.require_xml_format ? [] : dressed(calls)),
      ...wrongTexts(() => false),
      mustNotPass('another_tool', write([other, ...rest])),
      // Fewer calls, or other values, may be what an alias wants.
      ...(rest.length === 0 || others.length > 0 ? [] : [mustNotPass('dropped_call', write(calls.slice(0, -1)))]),
      ...(others.length > 0 ? [] : changedArguments(scorer, calls, write)),
    ];
  };
}

/** Where no tool may be called, any answer without a call is right. */
function noCall(target: string): Mutant[] {
  return [mustPass('target', target), mustNotPass('another_tool', writeJson([{ name: 'some_tool', arguments: {} }]))];
}

/** Right calls in other forms that models write. */
function dressed(calls: readonly Call[]): Mutant[] {
  const reordered = calls.map(({ name, arguments: given }) => ({
    name,
    arguments: Object.fromEntries(Object.entries(given).toReversed()),
  }));
  return [
    mustPass('key_order', writeJson(reordered)),
    mustPass('fence', calls.map((call) => `\`\`\`tool_call\n${callText(call)}\n\`\`\``).join('\n')),
    mustPass('sentence', `I will call the tool.\n${writeJson(calls)}`),
    mustPass('white_space', `\n${writeJson(calls)}\n`),
  ];
}

function changedArguments(scorer: ToolCallScorer, calls: readonly Call[], write: (calls: readonly Call[]) => string): Mutant[] {
  if (calls.every(({ arguments: given }) => Object.keys(given).length === 0)) return [];
  const text = write(calls.map(({ name, arguments: given }) => ({ name, arguments: unrelated(given) })));
  if (scorer.args.kind === 'keys_only') return [mayPass('changed_arguments', text, 'keys_only compares no values')];
  if (scorer.args.kind === 'per_key') return [mayPass('changed_arguments', text, 'per_key compares what its own scorers look at')];
  return partialCredit(scorer, calls) >= PASS ? [] : [mustNotPass('changed_arguments', text)];
}

/** What right names with right keys are worth when no value is right. */
function partialCredit({ weights }: ToolCallScorer, calls: readonly Call[]): number {
  const { name, structure, content } = weights;
  const unvalued = (name + structure + UNRELATED * content) / (name + structure + content);
  const scores = calls.map(({ arguments: given }) => (Object.keys(given).length === 0 ? 1 : unvalued));
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function unrelated(given: Call['arguments']): Call['arguments'] {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      if (typeof value === 'number') return [key, value * 10 + 7];
      return [key, typeof value === 'boolean' ? !value : value === 'zzq' ? 'qqz' : 'zzq'];
    }),
  );
}

function otherName({ name_match: match }: ToolCallScorer, calls: readonly Call[]): string {
  const taken = [...calls.map(({ name }) => name), ...(match.kind === 'one_of' ? match.allowed : [])].map((name) => name.toLowerCase());
  let name = `${calls[0]?.name ?? ''}_other`;
  while (taken.includes(name.toLowerCase())) name += 'x';
  return name;
}

function writeJson(calls: readonly Call[]): string {
  const [first] = calls;
  return calls.length === 1 && first ? callText(first) : `{"tool_calls":[${calls.map(callText).join(',')}]}`;
}

/** By hand, because arguments may hold integers that are no 64-bit floats. */
function callText({ name, arguments: given }: Call): string {
  const members = Object.entries(given).map(([key, value]) => `${JSON.stringify(key)}:${jsonOf(value)}`);
  return `{"name":${JSON.stringify(name)},"arguments":{${members.join(',')}}}`;
}

function jsonOf(value: ArgumentValue): string {
  return typeof value === 'string' ? JSON.stringify(value) : argumentText(value);
}

function writeXml(calls: readonly Call[]): string {
  const parameters = (given: Call['arguments']): string =>
    Object.entries(given)
      .map(([key, value]) => `<parameter=${key}>\n${argumentText(value)}\n</parameter>\n`)
      .join('');
  return calls
    .map(({ name, arguments: given }) => `<tool_call>\n<function=${name}>\n${parameters(given)}</function>\n</tool_call>`)
    .join('\n');
}
