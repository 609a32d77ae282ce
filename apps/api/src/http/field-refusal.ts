import { KilnError } from '@kiln/contracts';

/** The refusal of a request whose field at `path` cannot be as it is. */
export function fieldRefusal(path: string, message: string, hint: string): KilnError {
  return new KilnError('eval_invalid_request', `${path}: ${message}`, { path, hint });
}
