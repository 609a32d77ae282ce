import { validate, version } from 'uuid';
import { describe, expect, it } from 'vitest';
import { TraceIds } from './trace-ids.js';

describe('TraceIds', () => {
  it('makes different UUIDs of version 7, over many draws of randomness', () => {
    const ids = new TraceIds();
    const made = Array.from({ length: 2000 }, () => ids.next());
    expect(new Set(made).size).toBe(2000);
    expect(made.every((id) => validate(id) && version(id) === 7)).toBe(true);
  });
});
