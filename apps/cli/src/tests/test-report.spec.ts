import { describe, expect, it } from 'vitest';
import { missingPrograms, summaryLine, testArguments } from './test-report.js';

describe('testArguments', () => {
  it('turns sizes into projects and leaves path filters and options', () => {
    expect(testArguments(['unit', 'libs/queue', '-t', 'leases'])).toEqual(['--project=unit', 'libs/queue', '-t', 'leases']);
    expect(testArguments([])).toEqual([]);
  });
});

describe('missingPrograms', () => {
  it('names each program once, with how to get it', () => {
    const redis = JSON.stringify({ program: 'redis-server', howToGet: 'apt-get install redis-server' });
    const bubblewrap = JSON.stringify({ program: 'bwrap', howToGet: 'apt-get install bubblewrap' });
    expect(missingPrograms(`${redis}\n${bubblewrap}\n${redis}\n`)).toEqual([
      'skipped tests need bwrap, which is not here (apt-get install bubblewrap); KILN_REQUIRE=all makes that a failure',
      'skipped tests need redis-server, which is not here (apt-get install redis-server); KILN_REQUIRE=all makes that a failure',
    ]);
  });

  it('says nothing when nothing was missing', () => {
    expect(missingPrograms('')).toEqual([]);
  });
});

describe('summaryLine', () => {
  it('is what a build server greps for', () => {
    expect(summaryLine({ passed: 12, failed: 0, skipped: 3 })).toBe('12 passed, 0 failed, 3 skipped');
  });
});
