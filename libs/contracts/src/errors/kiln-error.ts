import { type ErrorBody } from './error-body.js';
import { type ErrorCode } from './error-code.js';
import { ERROR_STATUS } from './error-status.js';

export interface KilnErrorOptions {
  /** What the caller can do about it, one sentence. */
  hint?: string;
  /** The field that is wrong, such as `examples[3].scorer.kind`. */
  path?: string;
  cause?: unknown;
}

/** The error of every layer: a stable code, a sentence for people, and where known the field and the fix. */
export class KilnError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | null;
  readonly path: string | null;

  constructor(code: ErrorCode, message: string, options: KilnErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'KilnError';
    this.code = code;
    this.hint = options.hint ?? null;
    this.path = options.path ?? null;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }

  /** The answer's body. The cause stays inside: it may name hosts, files or secrets. */
  toBody(): ErrorBody {
    return { error: { code: this.code, message: this.message, hint: this.hint } };
  }
}
