import { type z } from 'zod';
import { describeIssue } from './describe-issue.js';
import { type ErrorCode, ErrorCode as ErrorCodeSchema } from './error-code.js';
import { formatPath } from './format-path.js';
import { KilnError } from './kiln-error.js';

export interface ParseOptions {
  /** The code of the error when the failing check does not choose its own. Default `eval_invalid_request`. */
  code?: ErrorCode;
  /** Where `value` sits in a larger document; put before every path. */
  at?: readonly PropertyKey[];
}

/**
 * Reads `value` by `schema`.
 *
 * @param what what the value is, for the message when no field is to blame: "suite", "request body".
 * @returns the parsed value: defaults filled, unknown fields removed.
 * @throws {KilnError} whose message and `path` name the first bad field (`examples[3].scorer.kind: …`) and whose hint
 *   counts the rest. A check may choose the code through `params.code`.
 */
export function parseWith<S extends z.ZodType>(schema: S, value: unknown, what: string, options: ParseOptions = {}): z.output<S> {
  const result = read(schema, value, what);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (!issue) throw new KilnError(options.code ?? 'eval_invalid_request', `${what}: not valid`);
  const path = formatPath([...(options.at ?? []), ...issue.path]);
  const message = `${path === '' ? what : path}: ${describeIssue(issue, valueAt(value, issue.path) ?? issue.input)}`;
  const others = result.error.issues.length - 1;
  throw new KilnError(chosenCode(issue) ?? options.code ?? 'eval_invalid_request', message, {
    ...(path === '' ? {} : { path }),
    hint:
      others > 0
        ? `Correct this field of the ${what}; ${others} more ${others === 1 ? 'is' : 'are'} wrong.`
        : `Correct this field of the ${what} and send it again.`,
  });
}

function read<S extends z.ZodType>(schema: S, value: unknown, what: string): z.ZodSafeParseResult<z.output<S>> {
  try {
    // The input of an issue is where a preprocessing schema (a list written as its one item) put what is not in `value`.
    return schema.safeParse(value, { reportInput: true });
  } catch (error) {
    if (error instanceof RangeError)
      throw new KilnError('eval_invalid_request', `${what}: nested too deeply; flatten it`, { cause: error });
    throw error;
  }
}

function chosenCode(issue: z.core.$ZodIssue): ErrorCode | null {
  if (issue.code !== 'custom') return null;
  const code = ErrorCodeSchema.safeParse(issue.params?.['code']);
  return code.success ? code.data : null;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
