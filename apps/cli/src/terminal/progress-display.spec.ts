import { describe, expect, it } from 'vitest';
import { ProgressDisplay } from './progress-display.js';
import { bar } from './progress-line.js';

const progress = (done: number) => ({
  examples_completed: done,
  examples_total: 200,
  samples_completed: done,
  samples_total: 200,
  samples_generated: 0,
  running_accuracy: done === 0 ? null : 0.55,
  running_mean_score: null,
});

describe('ProgressDisplay', () => {
  it('writes a line every ten seconds where nothing can be redrawn', () => {
    let now = 1000;
    const written: string[] = [];
    const display = new ProgressDisplay({ write: (text) => written.push(text) }, now, () => now);
    for (let second = 1; second <= 25; second += 1) {
      now += 1000;
      display.show({ state: 'running', progress: progress(second) });
    }
    display.end();
    expect(written).toEqual([
      'running · 10/200 samples · 10/200 examples · accuracy so far 55.0% · 10 s\n',
      'running · 20/200 samples · 20/200 examples · accuracy so far 55.0% · 20 s\n',
    ]);
  });

  it('redraws one line on a terminal, never wider than it', () => {
    const written: string[] = [];
    const display = new ProgressDisplay({ write: (text) => written.push(text), isTTY: true, columns: 40 }, 0, () => 3000);
    display.show({ state: 'running', progress: progress(100) });
    display.end();
    const [line = '', end] = written;
    expect(line.startsWith('\r\u001b[2K████████████░░░░░░░░░░░░  50.0% · ')).toBe(true);
    expect([...line.replace('\r\u001b[2K', '')]).toHaveLength(39);
    expect(end).toBe('\n');
  });
});

describe('bar', () => {
  it.each([
    [0, '░░░░'],
    [0.5, '██░░'],
    [0.53, '██▏░'],
    [1, '████'],
    [1.7, '████'],
    [-1, '░░░░'],
  ])('at %d', (fraction, shown) => {
    expect(bar(fraction, 4)).toBe(shown);
  });
});
