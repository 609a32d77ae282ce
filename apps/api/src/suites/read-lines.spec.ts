import { describe, expect, it } from 'vitest';
import { readLines } from './read-lines.js';

async function* chunksOf(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

async function lines(source: AsyncIterable<Uint8Array>, max = 1000): Promise<[number, string][]> {
  const read: [number, string][] = [];
  for await (const { number, text } of readLines(source, max)) read.push([number, text]);
  return read;
}

describe('readLines', () => {
  it('numbers lines over blank ones and takes a last line without a newline', async () => {
    expect(await lines(chunksOf('a\n\n  \nb\r\nc'))).toEqual([
      [1, 'a'],
      [4, 'b'],
      [5, 'c'],
    ]);
  });

  it('joins lines and characters that are split over chunks', async () => {
    const bytes = Buffer.from('añb€\nzz');
    const single = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
    expect(await lines(chunksOf(...single))).toEqual([
      [1, 'añb€'],
      [2, 'zz'],
    ]);
  });

  it('reads nothing from nothing', async () => {
    expect(await lines(chunksOf(''))).toEqual([]);
  });

  it('names the line that is too long, before it is complete', async () => {
    await expect(lines(chunksOf('ok\n', 'x'.repeat(6), 'y'.repeat(6)), 10)).rejects.toThrow('line 2: longer than 10 bytes');
  });

  it('names the line that is not UTF-8', async () => {
    await expect(lines(chunksOf('ok\n', new Uint8Array([0xc3, 0x28]), '\n'))).rejects.toThrow('line 2: not valid UTF-8');
  });
});
