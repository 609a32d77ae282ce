import { type EngineCall } from './engine-call.js';
import { type BatchPart } from './protocol.js';

/**
 * Takes up to `room` samples from the calls, one each in turn, so that a large call does not keep small ones waiting.
 * @param window most samples of one call that may be sent and not taken by its consumer.
 * @param now milliseconds of `performance.now()`.
 */
export function nextBatch(calls: Iterable<EngineCall>, room: number, window: number, now: number): BatchPart[] {
  const parts: BatchPart[] = [];
  let waiting = [...calls].map((call) => ({ call, part: { call: call.id, samples: [] } as BatchPart }));
  for (let left = room; left > 0 && waiting.length > 0;) {
    waiting = waiting.filter(({ call, part }) => {
      const sample = left > 0 ? call.takeNext(window, now) : null;
      if (sample === null) return false;
      if (part.samples.push(sample) === 1) parts.push(part);
      left--;
      return true;
    });
  }
  return parts;
}
