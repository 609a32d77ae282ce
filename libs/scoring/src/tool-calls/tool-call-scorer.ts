import { type ScorerOf, type Scorer } from '@kiln/contracts';
import { type ScoredExample, type ScorerCheck } from '../scorer-definition.js';
import { requireReadable, scorerRefusal } from '../scorer-refusal.js';
import { type CompiledScorer } from '../scoring-input.js';
import { argumentText } from './argument-value.js';
import { isTarget, planToolCall } from './plan-tool-call.js';
import { readToolCalls } from './read-tool-calls.js';

type ToolCallScorer = ScorerOf<'tool_call'>;

/** Compares the answer's tool calls with the target's: see {@link planToolCall}. */
export function compileToolCall(scorer: ToolCallScorer, compileChild: (child: Scorer) => CompiledScorer): CompiledScorer {
  const children = new Map(argumentScorers(scorer).map(([key, child]) => [key, compileChild(child)]));
  return (input) => {
    const { questions, finish } = planToolCall(scorer, input);
    return finish(questions.map((question) => children.get(question.key)!(question.input)));
  };
}

/** The scorers of single arguments, by key. */
export function argumentScorers({ args }: ToolCallScorer): [string, Scorer][] {
  return args.kind === 'per_key' ? Object.entries(args.scorers) : [];
}

const requireCalls = requireReadable(
  (target) => isTarget(readToolCalls(target, null)),
  'must hold tool calls for the scorer tool_call',
  'Write {"tool_calls":[{"name":"…","arguments":{…}}]}; an empty list means that no tool may be called.',
);

/** Target and aliases must hold calls that the scorer itself can pass. */
export function checkToolCall(scorer: ToolCallScorer, path: string, checkChild: (child: Scorer, path: string) => ScorerCheck): ScorerCheck {
  const checks = argumentScorers(scorer).map(([key, child]) => [key, checkChild(child, `${path}.args.scorers.${key}`)] as const);
  return (example, at) => {
    requireCalls(example, at);
    forEachTarget(example, (target, place) => {
      for (const call of readToolCalls(target, null).calls) {
        requireAllowed(scorer, call.name, `${at}.${place}`);
        for (const [key, check] of checks) {
          if (!Object.hasOwn(call.arguments, key)) continue;
          check({ target: argumentText(call.arguments[key]!), aliases: [], reference: example.reference }, at);
        }
      }
    });
  };
}

function forEachTarget({ target, aliases }: ScoredExample, visit: (text: string, place: string) => void): void {
  if (target !== null) visit(target, 'target');
  aliases.forEach((alias, index) => visit(alias, `aliases[${index}]`));
}

function requireAllowed({ name_match: match }: ToolCallScorer, name: string, path: string): void {
  if (match.kind !== 'one_of' || match.allowed.includes(name)) return;
  throw scorerRefusal(
    path,
    `calls "${name}", which name_match.allowed does not list`,
    'Add it to name_match.allowed, or call another tool.',
  );
}
