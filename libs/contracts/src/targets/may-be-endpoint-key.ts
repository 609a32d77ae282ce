/** Kiln's own secrets and a cloud's. Some end like a key and open far more than one endpoint. */
const NEVER = /^(?:KILN_|AWS_|AZURE_CLIENT|GOOGLE_APPLICATION)/;

/**
 * Whether a target may name this environment variable as its key. Whoever submits a job chooses both the variable and the host that
 * it is sent to, so a free choice would hand out the database password.
 */
export function mayBeEndpointKey(name: string): boolean {
  return /(?:KEY|TOKEN)$/.test(name) && !NEVER.test(name);
}
