/**
 * A copy of a JSON value with every fraction rounded to 12 significant digits, recursively.
 *
 * Evidence is hashed, and the last bits of a float may differ between engine versions (Math.exp, Math.log). Integers
 * that a double holds exactly are counts and stay as they are; −0 becomes 0. Idempotent.
 *
 * @example roundEvidence({ p: 0.1 + 0.2, n: 3 }) // { p: 0.3, n: 3 }
 */
export function roundEvidence<T>(value: T): T {
  return rounded(value) as T;
}

function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value + 0 : Number(value.toPrecision(12));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value === 'object' && value !== null) {
    // fromEntries defines members, so that a key such as `__proto__` stays a member.
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, rounded(member)]));
  }
  return value;
}
