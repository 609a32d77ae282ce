/** The queue's server cannot be reached or does not answer. Trying again later is right. */
export class QueueUnavailable extends Error {
  override readonly name = 'QueueUnavailable';
}

/** The queue's server answers but would lose or double messages. Somebody has to change its settings; starting is refused. */
export class QueueUnsafe extends Error {
  override readonly name = 'QueueUnsafe';
}
