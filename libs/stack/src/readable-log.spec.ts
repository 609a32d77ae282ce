import { describe, expect, it } from 'vitest';
import { readableLine } from './readable-log.js';

describe('readableLine', () => {
  it.each([
    ['a message', '{"level":30,"msg":"started"}', 'started'],
    [
      'an error, without its stack',
      '{"msg":"could not start","err":{"message":"no queue schema\\nand more","stack":"x"}}',
      'could not start: no queue schema',
    ],
    ['what to do', '{"msg":"port in use","hint":"choose another"}', 'port in use (choose another)'],
    ['text that is no JSON', 'node: bad option', 'node: bad option'],
    ['JSON that is no log entry', '[1]', '[1]'],
  ])('shows %s', (_what, line, shown) => {
    expect(readableLine(line)).toBe(shown);
  });
});
