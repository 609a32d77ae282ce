import { describe, expect, it } from 'vitest';
import { type SampleResult } from '../generator.js';
import { ECHO_TARGET, sampleRequest } from '../testing/onnx-target.fixture.js';
import { EngineCall } from './engine-call.js';
import { nextBatch } from './next-batch.js';

const NO_EVENTS = { signal: new AbortController().signal, onTaken: () => {}, onCancel: () => {}, onEnd: () => {} };

function call(id: number, count: number, deadlineMs = 1000): EngineCall {
  const samples = Array.from({ length: count }, (_, index) => sampleRequest(ECHO_TARGET, 'x', { id: `${id}-${index}`, deadlineMs }));
  return new EngineCall(id, samples, NO_EVENTS);
}

const taken = (calls: EngineCall[], room: number, window = 100) =>
  nextBatch(calls, room, window, 0).map(({ call: id, samples }) => `${id}:${samples.length}`);
const failure = (id: string): SampleResult => ({ id, ok: false, error: { code: 'c', message: '', retryable: false } });

describe('nextBatch', () => {
  it('shares the room in turns, and gives what small calls leave to large ones', () => {
    expect(taken([call(1, 50), call(2, 2), call(3, 50)], 12)).toEqual(['1:5', '2:2', '3:5']);
    expect(taken([call(1, 50), call(2, 50)], 1)).toEqual(['1:1']);
    expect(taken([call(1, 3)], 10)).toEqual(['1:3']);
    expect(taken([call(1, 3)], 0)).toEqual([]);
    expect(taken([], 5)).toEqual([]);
  });

  it('sends no more of a call than its window until its consumer takes results', async () => {
    const slow = call(1, 10);
    expect(taken([slow], 100, 4)).toEqual(['1:4']);
    slow.deliver(failure('1-0'));
    expect(taken([slow], 100, 4)).toEqual([]);
    await slow.results[Symbol.asyncIterator]().next();
    expect(taken([slow], 100, 4)).toEqual(['1:1']);
  });
});

describe('EngineCall', () => {
  it('knows what the child holds, and when it has everything', () => {
    const running = call(1, 2);
    expect(taken([running], 1)).toEqual(['1:1']);
    expect(running.inFlight).toEqual(['1-0']);
    running.deliver(failure('1-0'));
    running.deliver(failure('1-0'));
    running.deliver(failure('unknown'));
    expect(running.isComplete).toBe(false);
    expect([...running.unsentTargets]).toEqual([ECHO_TARGET]);
    running.failUnsent(ECHO_TARGET, { code: 'target_changed', message: '', retryable: false });
    expect(running.isComplete).toBe(true);
    expect([...running.unsentTargets]).toEqual([]);
  });

  it('is overdue when a deadline and the grace have passed in silence', () => {
    const running = call(1, 1, 1000);
    nextBatch([running], 1, 1, 5000);
    expect(running.isOverdue(6400, 0, 500)).toBe(false);
    expect(running.isOverdue(6501, 0, 500)).toBe(true);
    expect(running.isOverdue(6501, 5002, 500)).toBe(false);
    running.deliver(failure('1-0'));
    expect(running.isOverdue(1e9, 0, 500)).toBe(false);
  });
});
