/** A line of a JSONL file: what it holds, or why it cannot be read. */
export interface ReadLine {
  /** From 1. */
  readonly line: number;
  readonly value?: unknown;
  readonly flaw?: string;
}

/** The lines that are not blank. */
export function readLines(text: string): ReadLine[] {
  return text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [{ line: index + 1, ...readLine(line) }]));
}

function readLine(text: string): Pick<ReadLine, 'value' | 'flaw'> {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { flaw: `not JSON: ${(error as SyntaxError).message}` };
  }
}
