import { type SampleError } from '../generator.js';

/** Names that end like a key and hold something else. */
const NEVER = /^(?:KILN_DATABASE|KILN_REDIS|AWS_|AZURE_CLIENT|GOOGLE_APPLICATION)/;

/**
 * Whether a target may name this environment variable as its key. Whoever submits a job chooses both the variable and the host that
 * it is sent to, so a free choice would hand out the database password. `allowed`: the operator's own list, instead of the rule.
 */
export function mayBeEndpointKey(name: string, allowed: readonly string[] | null): boolean {
  return allowed === null ? /(?:KEY|TOKEN)$/.test(name) && !NEVER.test(name) : allowed.includes(name);
}

/** The key of an endpoint, null when it needs none, or why it cannot be had. The key itself appears in no message. */
export function endpointKey(
  name: string | null,
  readEnvironment: (name: string) => string | undefined,
  allowed: readonly string[] | null,
): { key: string | null } | SampleError {
  if (name === null) return { key: null };
  if (!mayBeEndpointKey(name, allowed)) {
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
