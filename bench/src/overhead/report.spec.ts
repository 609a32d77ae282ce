import { describe, expect, it } from 'vitest';
import { median, type OverheadReport, reportText } from './report.js';

describe('median', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[7], 7],
  ])('of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });
});

describe('reportText', () => {
  const report: OverheadReport = {
    environment: { Node: '20.20.2', cores: 2 },
    timings: [{ samples: 5000, kilnMs: [1000, 500, 2000], insertMs: [250, 200, 300] }],
    admission: { samples: 100_000, ms: [20, 30, 25] },
    memory: {
      small: { samples: 5000, peaks: { api: { own: 100, children: 0 }, scheduler: null, worker: { own: 100, children: 50 } } },
      large: { samples: 100_000, peaks: { api: { own: 110, children: 0 }, scheduler: null, worker: { own: 105, children: 50 } } },
    },
  };

  it('gives medians, rates beside the plain inserts, and the ratio of the peaks', () => {
    const text = reportText(report);
    expect(text).toMatch(/^Node 20\.20\.2 · cores 2$/m);
    expect(text).toMatch(/5,000 +1\.00 s +500 ms – 2\.00 s +5,000 samples\/s +20,000 samples\/s +25 %/);
    expect(text).toMatch(/admission of 100,000 samples: median 25 ms/);
    expect(text).toMatch(/^api +100\.0 MiB +110\.0 MiB +1\.100$/m);
    expect(text).toMatch(/^worker’s engine +50\.0 MiB +50\.0 MiB +1\.000$/m);
    expect(text).toMatch(/^scheduler +unknown +unknown$/m);
  });
});
