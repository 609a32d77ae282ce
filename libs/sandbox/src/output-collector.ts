import { type Readable } from 'node:stream';

/** Keeps the first `limit` bytes of a stream and says when there is more. */
export function collectOutput(stream: Readable, limit: number, onOverflow: () => void): { text(): string } {
  const kept: Buffer[] = [];
  let room = limit;
  stream.on('data', (chunk: Buffer) => {
    const part = chunk.subarray(0, room);
    if (part.length > 0) kept.push(part);
    room -= part.length;
    if (part.length === chunk.length) return;
    // First the program, then its reader: otherwise it might still end by itself, of a broken pipe.
    onOverflow();
    stream.destroy();
  });
  stream.on('error', () => undefined);
  // Not always text: what is not UTF-8 becomes U+FFFD.
  return { text: () => Buffer.concat(kept).toString('utf8') };
}
