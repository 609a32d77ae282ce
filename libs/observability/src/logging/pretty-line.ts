const LEVELS: Readonly<Record<number, string>> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };

// What a terminal obeys, and what reorders a line: escaped as in JSON, because JSON.parse has just undone that for text of
// models and endpoints.
// oxlint-disable-next-line no-control-regex -- finding control characters is what it is for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

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
  const rest = Object.entries(fields)
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('');
  const error = (err ?? {}) as { message?: string; stack?: string };
  const trouble = err === undefined ? [] : `  ${error.stack ?? error.message ?? ''}`.split('\n');
  const head = `${clock} ${(LEVELS[Number(level)] ?? String(level)).padEnd(5)} ${String(service)}: ${String(msg ?? '')}${rest}`;
  return `${[head, ...trouble].map(escapeControls).join('\n')}\n`;
}

function escapeControls(text: string): string {
  return text.replaceAll(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
