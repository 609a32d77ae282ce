const LEVELS: Readonly<Record<number, string>> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };

/** A JSON log line as one line for people: time, level, service, message, then `field=value`; stacks follow on their own lines. */
export function prettyLine(line: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const { time, level, service, msg, err, ...fields } = entry;
  const clock = String(time).slice(11, 23);
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const error = (err ?? {}) as { message?: string; stack?: string };
  const trouble = err === undefined ? '' : `\n  ${error.stack ?? error.message ?? ''}`;
  return `${clock} ${(LEVELS[Number(level)] ?? String(level)).padEnd(5)} ${String(service)}: ${String(msg ?? '')}${rest.join('')}${trouble}\n`;
}
