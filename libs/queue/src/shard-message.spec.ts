import { describe, expect, it } from 'vitest';
import { messageId, parseShardMessage } from './shard-message.js';

const shardId = '0190a3c4-7b1e-7c3a-9d2f-0123456789ab';

describe('parseShardMessage', () => {
  it('keeps the two fields and nothing else', () => {
    expect(parseShardMessage({ shardId, dispatch: 3, more: 'text' })).toEqual({ shardId, dispatch: 3 });
  });

  it.each([
    [null, /shardId/],
    ['text', /shardId/],
    [{ shardId: 'a:b', dispatch: 1 }, /shardId/],
    [{ shardId: shardId.toUpperCase(), dispatch: 1 }, /shardId/],
    [{ shardId }, /dispatch/],
    [{ shardId, dispatch: -1 }, /dispatch/],
    [{ shardId, dispatch: 1.5 }, /dispatch/],
  ])('refuses %j', (value, message) => {
    expect(() => parseShardMessage(value)).toThrow(message);
  });
});

describe('messageId', () => {
  it('is the same for the same dispatch and avoids what BullMQ refuses: integers, "0:" and colons', () => {
    expect(messageId({ shardId, dispatch: 3 })).toBe(`shard-${shardId}-3`);
    expect(messageId({ shardId, dispatch: 3 })).not.toBe(messageId({ shardId, dispatch: 4 }));
  });
});
