import { describe, expect, it } from 'vitest';
import { parseEngineReply, parseEngineRequest, ProtocolError } from './protocol.js';

const sample = { id: 'a', target: {}, messages: [], generation: {} };

describe('parseEngineRequest', () => {
  it.each([
    { type: 'load', request: 1, target: {} },
    { type: 'unload', request: 1, target: {} },
    { type: 'batch', parts: [{ call: 1, samples: [sample] }] },
    { type: 'cancel', call: 1 },
    { type: 'close' },
  ])('accepts %j', (message) => {
    expect(parseEngineRequest(message)).toBe(message);
  });

  it.each([
    [null, /unknown engine message/],
    ['close', /unknown engine message/],
    [{ type: 'results', parts: [] }, /unknown engine message "results"/],
    [{ type: 'toString' }, /unknown engine message/],
    [{ type: 'load', target: {} }, /load has no valid request/],
    [{ type: 'load', request: 1, target: null }, /load has no valid target/],
    [{ type: 'batch', parts: [{ call: 1 }] }, /batch has no valid parts/],
    [{ type: 'batch', parts: [{ call: 1, samples: [{ ...sample, id: 7 }] }] }, /batch has no valid parts/],
    [{ type: 'cancel', call: '1' }, /cancel has no valid call/],
  ])('refuses %j', (message, reason) => {
    expect(() => parseEngineRequest(message)).toThrow(reason);
    expect(() => parseEngineRequest(message)).toThrow(ProtocolError);
  });
});

describe('parseEngineReply', () => {
  it.each([
    { type: 'ready', credits: 512 },
    { type: 'loaded', request: 1, loaded: {} },
    { type: 'refused', request: 1, error: {} },
    {
      type: 'results',
      parts: [
        {
          call: 1,
          results: [
            { id: 'a', ok: true, trace: {} },
            { id: 'b', ok: false, error: {} },
          ],
        },
      ],
    },
    { type: 'released', call: 1, samples: 3 },
    { type: 'progress' },
  ])('accepts %j', (message) => {
    expect(parseEngineReply(message)).toBe(message);
  });

  it.each([
    [{ type: 'load', request: 1, target: {} }],
    [{ type: 'ready', credits: 1.5 }],
    [{ type: 'results', parts: [{ call: 1, results: [{ id: 'a', ok: true }] }] }],
    [{ type: 'results', parts: [{ call: 1, results: [{ id: 'a', ok: 'yes', trace: {} }] }] }],
    [undefined],
  ])('refuses %j', (message) => {
    expect(() => parseEngineReply(message)).toThrow(ProtocolError);
  });
});
