/** The expression itself is wrong: found once, when it is compiled. */
export class BadExpressionError extends Error {
  override readonly name = 'BadExpressionError';
}

/** The expression has no value for this answer: a field is absent, an operand has the wrong type. */
export class UnresolvedError extends Error {
  override readonly name = 'UnresolvedError';
}
