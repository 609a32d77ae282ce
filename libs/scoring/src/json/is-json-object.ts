/** Whether a JSON value is an object, and neither a list nor null. Its keys are any text: read own properties only. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
