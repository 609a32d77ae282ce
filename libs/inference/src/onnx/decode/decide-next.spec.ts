import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideNext, type LineView, READ_BETWEEN_STEPS } from './decide-next.js';

const EMPTY: LineView = {
  finished: 0,
  live: 0,
  room: 4,
  isReading: false,
  readSinceStep: 0,
  joining: 0,
  waiting: 0,
  oldestFits: false,
};

describe('decideNext', () => {
  it.each<[string, Partial<LineView>, string]>([
    ['nothing is there', {}, 'idle'],
    ['somebody waits and the line is closed', { room: 0, waiting: 1 }, 'open'],
    ['somebody waits for another model, and no row is left', { waiting: 1 }, 'open'],
    ['somebody waits for another model, and rows are left', { waiting: 1, live: 1 }, 'step'],
    ['the round goes on', { joining: 3, waiting: 5 }, 'admit'],
    ['the round goes on beside rows', { joining: 3, live: 3 }, 'admit'],
    ['all rows are taken', { joining: 3, live: 4 }, 'step'],
    ['a prompt is being read', { isReading: true, joining: 3 }, 'read'],
    ['a prompt is being read beside rows', { isReading: true, live: 2, readSinceStep: READ_BETWEEN_STEPS - 1 }, 'read'],
    ['much was read while rows waited', { isReading: true, live: 2, readSinceStep: READ_BETWEEN_STEPS }, 'step'],
    ['much was read in short prompts', { joining: 2, live: 2, readSinceStep: READ_BETWEEN_STEPS }, 'step'],
    ['much was read and nobody waits for it', { isReading: true, readSinceStep: 10 * READ_BETWEEN_STEPS }, 'read'],
    ['the round is over and the next fits', { waiting: 2, live: 2, oldestFits: true }, 'round'],
    ['the next fits, but no row is free', { waiting: 2, live: 4, oldestFits: true }, 'step'],
    ['a row is over', { finished: 1, live: 2, isReading: true, joining: 2 }, 'retire'],
  ])('when %s', (_, view, expected) => {
    expect(decideNext({ ...EMPTY, ...view })).toBe(expected);
  });

  it('never asks for what cannot be done', () => {
    const view = fc.record<LineView>({
      finished: fc.constantFrom(0, 0, 1),
      live: fc.nat(4),
      room: fc.constant(4),
      isReading: fc.boolean(),
      readSinceStep: fc.nat(2 * READ_BETWEEN_STEPS),
      joining: fc.nat(2),
      waiting: fc.nat(2),
      oldestFits: fc.boolean(),
    });
    fc.assert(
      fc.property(view, (some) => {
        const action = decideNext(some);
        if (action === 'read') expect(some.isReading).toBe(true);
        if (action === 'admit') expect(some.joining > 0 && some.live < some.room && !some.isReading).toBe(true);
        if (action === 'step') expect(some.live).toBeGreaterThan(0);
        if (action === 'open') expect(some.waiting > 0 && some.live === 0 && !some.isReading && some.joining === 0).toBe(true);
        if (action === 'idle') expect(some).toMatchObject({ finished: 0, live: 0, isReading: false, joining: 0, waiting: 0 });
      }),
    );
  });
});
