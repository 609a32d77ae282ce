import { type z } from 'zod';

/**
 * One sentence for one zod issue: what was found, what is wanted, what to do. Messages that a schema of ours wrote are
 * kept (`custom`, and every issue whose check names its own error).
 */
export function describeIssue(issue: z.core.$ZodIssue, input: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message !== '' && !issue.message.startsWith('Invalid input')) return issue.message;
      return input === undefined ? `is required; expected ${article(issue.expected)}` : `expected ${article(issue.expected)}, got ${show(input)}`;
    case 'unrecognized_keys':
      return `unknown ${issue.keys.length > 1 ? 'fields' : 'field'} ${issue.keys.map((key) => `"${key}"`).join(', ')}; remove or correct the spelling`;
    case 'too_small':
      return bound(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least', input);
    case 'too_big':
      return bound(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most', input);
    case 'invalid_value':
      return `must be ${oneOf(issue.values.map((value) => JSON.stringify(value)))}, got ${show(input)}`;
    default:
      return issue.message;
  }
}

function bound(origin: string, limit: number | bigint, words: string, input: unknown): string {
  if (origin === 'string') return `must have ${words} ${limit} characters`;
  if (origin === 'array' || origin === 'set' || origin === 'map') return `must have ${words} ${limit} ${limit === 1 ? 'item' : 'items'}`;
  return `must be ${words} ${limit}, got ${show(input)}`;
}

function oneOf(values: string[]): string {
  return values.length === 1 ? (values[0] ?? '') : `one of ${values.join(', ')}`;
}

function article(type: string): string {
  if (type === 'int') return 'a whole number';
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** A short rendering of a bad value: enough to recognise it, never a whole document. */
function show(input: unknown): string {
  if (input === undefined) return 'nothing';
  if (typeof input === 'number' || typeof input === 'bigint') return String(input);
  if (Array.isArray(input)) return 'an array';
  if (typeof input === 'object' && input !== null) return 'an object';
  const text = JSON.stringify(input) ?? String(input);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
