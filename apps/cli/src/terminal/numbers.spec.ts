import { describe, expect, it } from 'vitest';
import { ago, count, counted, dollars, duration, interval, pValue, percent, points } from './numbers.js';

describe('numbers', () => {
  it.each([
    [percent(0.365), '36.5%'],
    [percent(null), '–'],
    [interval({ lower: 0.29666, upper: 0.429 }), '[29.7, 42.9]'],
    [interval(null), ''],
    [points(0.13), '+13.0'],
    [points(-0.004), '-0.4'],
    [points(-0.0001), '0.0'],
    [points(null), '–'],
    [pValue(1), '1'],
    [pValue(0.0654296875), '0.0654'],
    [pValue(0.05), '0.05'],
    [pValue(1.234e-9), '1.2e-9'],
    [pValue(0), '< 1e-300'],
    [dollars('0.0012'), '$0.0012'],
    [dollars('0'), '$0'],
    [dollars(null), 'unknown'],
    [count(1_234_567), '1,234,567'],
    [count(12), '12'],
    [counted(0, 'example'), '0 examples'],
    [counted(1, 'example'), '1 example'],
    [counted(1200, 'example'), '1,200 examples'],
    [duration(840), '0.8 s'],
    [duration(200_000), '3 min 20 s'],
    [duration(7_500_000), '2 h 5 min'],
    [ago('2027-01-01T00:00:00Z', Date.parse('2027-01-01T00:00:59Z')), '59 s ago'],
    [ago('2027-01-01T00:00:00Z', Date.parse('2027-01-01T03:00:00Z')), '3 h ago'],
    [ago('2027-01-01T00:00:00Z', Date.parse('2027-01-05T00:00:00Z')), '4 d ago'],
    [ago('2027-01-01T00:00:10Z', Date.parse('2027-01-01T00:00:00Z')), '0 s ago'],
  ])('%s', (shown, wanted) => {
    expect(shown).toBe(wanted);
  });
});
