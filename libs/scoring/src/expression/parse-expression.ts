import { parse, tokenize } from '@huggingface/jinja';
import { BadExpressionError } from './expression-errors.js';
import { type ExpressionNode } from './expression-node.js';

/** More is not written by hand, and every level costs the parser and the evaluation stack frames. */
const MAX_DEPTH = 64;

/**
 * Reads one Jinja expression, without the braces of a template.
 *
 * @throws BadExpressionError for statements, text around it, more than one expression, brackets nested too deeply.
 */
export function parseExpression(source: string): ExpressionNode {
  if (source.trimStart().startsWith('{{')) throw new BadExpressionError('write the expression alone, without {{ and }}');
  refuseDeepBrackets(source);
  let body: readonly { readonly type: string }[];
  try {
    ({ body } = parse(tokenize(`{{ ${source} }}`)));
  } catch (cause) {
    throw new BadExpressionError(`cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  const [only, ...others] = body;
  if (only === undefined || others.length > 0) throw new BadExpressionError('must be one expression and nothing else');
  // The library keeps its node classes to itself; the compiler refuses every type that is not in ExpressionNode.
  return only as unknown as ExpressionNode;
}

/** Brackets in string literals count too; nobody quotes 64 of them. */
function refuseDeepBrackets(source: string): void {
  let depth = 0;
  for (const character of source) {
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (depth > MAX_DEPTH) throw new BadExpressionError(`nests brackets more than ${MAX_DEPTH} deep`);
  }
}
