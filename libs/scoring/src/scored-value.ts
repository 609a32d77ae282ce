import { type Score } from '@kiln/contracts';
import { excerpt } from './excerpt.js';
import { compileExpression, type Expression } from './expression/compile-expression.js';
import { answerTrace } from './answer-trace.js';
import { type ExactJson } from './json/exact-json.js';
import { findLastQuestion } from './last-question.js';
import { failed, skipped, unscorable } from './score-results.js';
import { scorerRefusal } from './scorer-refusal.js';
import { type ScoringInput } from './scoring-input.js';

/** What a scorer looks at, or the score of an answer that has no such value. */
export type ScoredValue = { readonly ok: true; readonly value: ExactJson } | { readonly ok: false; readonly score: Score };

/** The variables of a value expression (contracts.md §4.3). */
const VARIABLES = ['final_message', 'trace', 'reference_data', 'task_input'] as const;

/**
 * Compiles `value_expression`; null reads the answer.
 *
 * An expression without a value for this answer fails it. One that reads `trace` or `reference_data` where there is none is
 * skipped. One that would cost too much is an error: see WorkBudget.
 */
export function compileScoredValue(source: string | null): (input: ScoringInput) => ScoredValue {
  if (source === null) return ({ text }) => ({ ok: true, value: text });
  const expression = compileExpression(source, VARIABLES);
  if (expression.kind === 'bad_expression') {
    const score = unscorable('bad_expression', { message: excerpt(expression.message) });
    return () => ({ ok: false, score });
  }
  return (input) => evaluate(expression, input);
}

function evaluate(expression: Expression, input: ScoringInput): ScoredValue {
  const readsTrace = expression.mentions('trace');
  if (readsTrace && input.messages.length === 0) return { ok: false, score: skipped('missing_trace') };
  if (expression.mentions('reference_data') && input.reference === null) return { ok: false, score: skipped('missing_reference_key') };
  const result = expression.evaluate({
    final_message: input.text,
    trace: readsTrace ? answerTrace(input) : undefined,
    reference_data: input.reference,
    task_input: findLastQuestion(input.messages),
  });
  if (result.kind === 'value') return { ok: true, value: result.value };
  if (result.kind === 'too_costly') return { ok: false, score: unscorable('expression_too_costly') };
  return { ok: false, score: failed({ reason: 'expression_unresolved', message: excerpt(result.message) }) };
}

/** Registration's check. @throws KilnError naming `<path>.value_expression` */
export function checkValueExpression(source: string | null, path: string): void {
  const expression = source === null ? null : compileExpression(source, VARIABLES);
  if (expression?.kind !== 'bad_expression') return;
  throw scorerRefusal(
    `${path}.value_expression`,
    expression.message,
    'Write one Jinja expression over final_message, trace, reference_data and task_input, such as "trace[-1].content | trim".',
  );
}
