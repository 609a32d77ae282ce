import { KilnError } from '@kiln/contracts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A line and its number, counted from 1 and over blank lines too, as an editor shows it. */
export interface NumberedLine {
  number: number;
  text: string;
}

/**
 * Splits a byte stream into lines of UTF-8 text, holding one line at a time. Blank lines are skipped but counted.
 *
 * @param maxLineBytes the longest line that is accepted, so that a stream without newlines cannot fill the memory
 * @throws KilnError `eval_invalid_request` that names the line: too long, or not valid UTF-8
 */
export async function* readLines(source: AsyncIterable<Uint8Array>, maxLineBytes: number): AsyncGenerator<NumberedLine> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let number = 0;

  const decoder = new TextDecoder('utf-8', { fatal: true });
  const take = (last: Uint8Array): NumberedLine | undefined => {
    number += 1;
    const bytes = pending.length === 0 ? last : Buffer.concat([...pending, last]);
    pending = [];
    pendingBytes = 0;
    const text = decodeLine(decoder, bytes, number);
    return text.trim() === '' ? undefined : { number, text };
  };

  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      checkLength(pendingBytes + end - start, maxLineBytes, number + 1);
      const line = take(chunk.subarray(start, end));
      start = end + 1;
      if (line !== undefined) yield line;
    }
    const rest = chunk.subarray(start);
    if (rest.length > 0) {
      pendingBytes += rest.length;
      checkLength(pendingBytes, maxLineBytes, number + 1);
      pending.push(rest);
    }
  }
  if (pendingBytes > 0) {
    const line = take(new Uint8Array(0));
    if (line !== undefined) yield line;
  }
}

function checkLength(bytes: number, maxLineBytes: number, number: number): void {
  if (bytes <= maxLineBytes) return;
  throw new KilnError('eval_invalid_request', `line ${number}: longer than ${maxLineBytes} bytes`, {
    path: `line ${number}`,
    hint: 'Send one JSON object per line: the suite header first, then one example per line.',
  });
}

function decodeLine(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, number: number): string {
  const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  try {
    return decoder.decode(bytes.subarray(0, end));
  } catch (cause) {
    throw new KilnError('eval_invalid_request', `line ${number}: not valid UTF-8`, {
      path: `line ${number}`,
      hint: 'Save the file in UTF-8 and send it again.',
      cause,
    });
  }
}
