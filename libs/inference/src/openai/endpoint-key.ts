import { mayBeEndpointKey } from '@kiln/contracts';
import { type SampleError } from '../generator.js';

/**
 * The key of an endpoint, null when it needs none, or why it cannot be had. The key itself appears in no message.
 *
 * @param allowed names that may be used, instead of those that `mayBeEndpointKey` allows
 */
export function endpointKey(
  name: string | null,
  readEnvironment: (name: string) => string | undefined,
  allowed: readonly string[] | null,
): { key: string | null } | SampleError {
  if (name === null) return { key: null };
  if (!(allowed?.includes(name) ?? mayBeEndpointKey(name))) {
    return {
      code: 'endpoint_key_refused',
      message: `${name} may not be used as an endpoint's key; its name must end in KEY or TOKEN, or be allowed by the operator`,
      retryable: false,
    };
  }
  const key = readEnvironment(name);
  if (key === undefined || key === '')
    return { code: 'endpoint_key_missing', message: `the environment variable ${name} is not set on this worker`, retryable: false };
  return { key };
}
