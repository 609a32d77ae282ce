import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AGEING_MS, allocateDispatch, type JobDemand } from './allocate-dispatch.js';

const job = (jobId: string, demand: Partial<JobDemand> = {}): JobDemand => ({
  jobId,
  weight: 1,
  active: 0,
  waiting: 100,
  concurrency: null,
  waitedMs: 0,
  ...demand,
});
const given = (jobs: JobDemand[], slots: number): Record<string, number> => Object.fromEntries(allocateDispatch(jobs, slots));

describe('allocateDispatch', () => {
  it.each<[string, JobDemand[], number, Record<string, number>]>([
    ['nothing to give', [job('a')], 0, {}],
    ['nobody asks', [], 8, {}],
    ['equal jobs share', [job('a'), job('b')], 8, { a: 4, b: 4 }],
    ['the odd slot goes to the first', [job('a'), job('b')], 3, { a: 2, b: 1 }],
    ['weight three gets three times as much', [job('a', { weight: 3 }), job('b')], 8, { a: 6, b: 2 }],
    ['what a job holds counts', [job('a', { active: 4 }), job('b')], 4, { b: 4 }],
    ['what one cannot use goes to the others', [job('a', { waiting: 1 }), job('b')], 8, { a: 1, b: 7 }],
    ['a job keeps inside its own limit', [job('a', { concurrency: 2, active: 1 }), job('b')], 8, { a: 1, b: 7 }],
    ['a job over its limit gets nothing', [job('a', { concurrency: 2, active: 5 })], 8, {}],
    ['who waited is served before who holds as much', [job('a', { active: 1 }), job('b', { active: 1, waitedMs: AGEING_MS })], 1, { b: 1 }],
  ])('%s', (_name, jobs, slots, expected) => {
    expect(given(jobs, slots)).toEqual(expected);
  });

  it('serves a waiting job beside a far heavier one', () => {
    const heavy = job('heavy', { weight: 100, active: 50 });
    expect(given([heavy, job('light', { active: 1, waitedMs: 2 * AGEING_MS })], 1)).toEqual({ light: 1 });
  });

  const demands = fc
    .array(
      fc.record({
        weight: fc.integer({ min: 1, max: 10 }),
        active: fc.nat(20),
        waiting: fc.nat(20),
        concurrency: fc.option(fc.integer({ min: 1, max: 20 })),
        waitedMs: fc.nat(600_000),
      }),
      { maxLength: 8 },
    )
    .map((jobs) => jobs.map((demand, index): JobDemand => ({ jobId: `job-${index}`, ...demand })));
  const roomOf = (demand: JobDemand): number =>
    demand.concurrency === null ? demand.waiting : Math.max(0, Math.min(demand.waiting, demand.concurrency - demand.active));

  it('gives out every slot that somebody can use, and nobody more than they can use', () => {
    fc.assert(
      fc.property(demands, fc.nat(60), (jobs, slots) => {
        const shares = allocateDispatch(jobs, slots);
        for (const demand of jobs) expect(shares.get(demand.jobId) ?? 0).toBeLessThanOrEqual(roomOf(demand));
        const total = [...shares.values()].reduce((a, b) => a + b, 0);
        expect(total).toBe(
          Math.min(
            slots,
            jobs.reduce((sum, demand) => sum + roomOf(demand), 0),
          ),
        );
      }),
    );
  });

  it('gives nobody less when there are more slots', () => {
    fc.assert(
      fc.property(demands, fc.nat(60), (jobs, slots) => {
        const fewer = allocateDispatch(jobs, slots);
        const more = allocateDispatch(jobs, slots + 1);
        for (const [jobId, count] of fewer) expect(more.get(jobId)).toBeGreaterThanOrEqual(count);
      }),
    );
  });

  it('keeps jobs of one weight within one slot of each other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.nat(60), (count, slots) => {
        const jobs = Array.from({ length: count }, (_, index) => job(`job-${index}`));
        const shares = jobs.map(({ jobId }) => allocateDispatch(jobs, slots).get(jobId) ?? 0);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
