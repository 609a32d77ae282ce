/**
 * A log line for a person: services write JSON objects, of which the message and the error's first line matter here.
 * Anything else stays as it is.
 */
export function readableLine(line: string): string {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  if (typeof entry !== 'object' || entry === null || !('msg' in entry)) return line;
  const { msg, err, hint } = entry as { msg: unknown; err?: { message?: unknown }; hint?: unknown };
  const parts = [String(msg)];
  if (typeof err?.message === 'string') parts.push(err.message.split('\n')[0] ?? '');
  return `${parts.join(': ')}${typeof hint === 'string' ? ` (${hint})` : ''}`;
}
