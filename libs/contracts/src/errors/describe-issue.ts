import { type z } from 'zod';

/** How zod's own messages begin. They say less than the issue knows, and never what was found. */
const GENERIC = /^(?:Invalid input|Invalid option|Too small|Too big|Unrecognized key|Invalid key)/;

/**
 * One sentence for one zod issue: what was found, what is wanted, what to do. Messages that a schema of ours wrote are
 * kept as they are.
 */
export function describeIssue(issue: z.core.$ZodIssue, input: unknown): string {
  if (!GENERIC.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      if (input === undefined) return `is required; expected ${article(issue.expected)}`;
      if (typeof input === 'number' && !Number.isFinite(input)) return `must be a finite number, got ${input}`;
      return `expected ${article(issue.expected)}, got ${show(input)}${quotes(issue.expected, input)}`;
    case 'unrecognized_keys':
      return `unknown ${issue.keys.length > 1 ? 'fields' : 'field'} ${issue.keys.map((key) => `"${key}"`).join(', ')}; remove or correct the spelling`;
    case 'too_small':
      return bound(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least', input);
    case 'too_big':
      return bound(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most', input);
    case 'invalid_value':
      return `must be ${oneOf(issue.values.map((value) => JSON.stringify(value)))}, got ${show(input)}`;
    case 'invalid_key':
      return `is not a possible name: ${issue.issues[0] ? describeIssue(issue.issues[0], issue.input) : issue.message}`;
    default:
      return issue.message;
  }
}

/** Text that looks like a number is one for YAML, and often for whoever writes JSON. */
function quotes(expected: string, input: unknown): string {
  return expected === 'string' && (typeof input === 'number' || typeof input === 'boolean') ? '; put it in quotes' : '';
}

function bound(origin: string, limit: number | bigint, words: string, input: unknown): string {
  const plural = Number(limit) === 1 ? '' : 's';
  if (origin === 'string') return `must have ${words} ${limit} character${plural}`;
  if (origin === 'array') return `must have ${words} ${limit} item${plural}`;
  return `must be ${words} ${limit}, got ${show(input)}`;
}

function oneOf(values: string[]): string {
  return values.length === 1 ? (values[0] ?? '') : `one of ${values.join(', ')}`;
}

function article(type: string): string {
  if (type === 'int') return 'a whole number';
  if (type === 'record') return 'an object';
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
