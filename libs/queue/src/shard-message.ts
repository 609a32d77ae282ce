/** A shard that is ready to be claimed. `dispatch` counts how often it was sent: a later one supersedes an earlier one. */
export interface ShardMessage {
  shardId: string;
  dispatch: number;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The id under which a queue holds a message. Deterministic, so that sending it twice is sending it once. BullMQ refuses ids
 * that look like integers or contain a colon; the prefix and the dashes keep clear of both.
 */
export function messageId({ shardId, dispatch }: ShardMessage): string {
  return `shard-${shardId}-${dispatch}`;
}

/** Checks what comes from outside (a queue is shared storage) or from a caller. Throws a TypeError that names the field. */
export function parseShardMessage(value: unknown): ShardMessage {
  const { shardId, dispatch } = (value ?? {}) as Record<string, unknown>;
  if (typeof shardId !== 'string' || !UUID.test(shardId))
    throw new TypeError(`shardId: expected a lowercase UUID, got ${JSON.stringify(shardId)?.slice(0, 80)}`);
  if (typeof dispatch !== 'number' || !Number.isSafeInteger(dispatch) || dispatch < 0)
    throw new TypeError('dispatch: expected a whole number, 0 or more');
  return { shardId, dispatch };
}
