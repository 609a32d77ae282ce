import { type ExactJson } from '../json/exact-json.js';
import { TooDeepError } from '../json/too-deep-error.js';
import { TooCostlyError, WorkBudget } from '../work-budget.js';
import { NodeCompiler, type Scope } from './compile-node.js';
import { BadExpressionError, UnresolvedError } from './expression-errors.js';
import { parseExpression } from './parse-expression.js';

/**
 * What one evaluation may read and build, in characters and items. Expressions have no loops, so this bounds time and
 * memory: about 40 MB and a fraction of a second. A text of a million characters can be lowered, trimmed and split.
 */
const MAX_WORK = 20_000_000;

export interface Expression {
  readonly kind: 'expression';
  /** Whether the variable stands anywhere in the expression. */
  mentions(variable: string): boolean;
  evaluate(scope: Scope): ExpressionResult;
}

export interface BadExpression {
  readonly kind: 'bad_expression';
  readonly message: string;
}

export type ExpressionResult =
  | { readonly kind: 'value'; readonly value: ExactJson }
  /** The answer has no such value, or it is null: Jinja makes no difference between the two either. */
  | { readonly kind: 'unresolved'; readonly message: string }
  | { readonly kind: 'too_costly' };

/**
 * Compiles a Jinja expression over `variables`, once for any number of answers.
 *
 * The parser is a library's; the evaluation is ours, because the library's has no limits (`range`, `replace` and `indent`
 * build texts of any size), reads the clock and compares `'1' == 1`. Ours knows JSON values only: it can neither loop nor
 * reach a prototype or a function, and its work is bounded by {@link WorkBudget}.
 */
export function compileExpression(source: string, variables: readonly string[]): Expression | BadExpression {
  const compiler = new NodeCompiler(new Set(variables));
  try {
    const run = compiler.compile(parseExpression(source));
    return {
      kind: 'expression',
      mentions: (variable) => compiler.mentioned.has(variable),
      evaluate: (scope) => {
        try {
          const value = run(scope, new WorkBudget(MAX_WORK));
          return value === undefined || value === null ? { kind: 'unresolved', message: 'no such value' } : { kind: 'value', value };
        } catch (error) {
          if (error instanceof UnresolvedError || error instanceof TooDeepError) return { kind: 'unresolved', message: error.message };
          if (error instanceof TooCostlyError) return { kind: 'too_costly' };
          throw error;
        }
      },
    };
  } catch (error) {
    if (error instanceof BadExpressionError) return { kind: 'bad_expression', message: error.message };
    throw error;
  }
}
