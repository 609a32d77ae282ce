import { describe, expect, it } from 'vitest';
import { formatPath } from './format-path.js';

describe('formatPath', () => {
  it.each([
    [[], ''],
    [['examples', 3, 'scorer', 'kind'], 'examples[3].scorer.kind'],
    [[0, 'id'], '[0].id'],
    [['metadata', 'a b', 'c'], 'metadata["a b"].c'],
    [['headers', 'x-trace'], 'headers.x-trace'],
    [['metadata', ''], 'metadata[""]'],
  ])('%j → %s', (path, text) => expect(formatPath(path)).toBe(text));
});
