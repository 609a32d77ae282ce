import { describe, expect, it } from 'vitest';
import { gateSeverity, mostSevere } from './gate-severity.js';

describe('gateSeverity', () => {
  it('orders the outcomes', () => {
    const outcomes = ['from_the_future', 'error', 'demoted', 'regression', 'inconclusive', 'promoted', 'kept', 'constructor'];
    expect(outcomes.map(gateSeverity)).toEqual([7, 6, 5, 5, 4, 3, 2, 7]);
  });
});

describe('mostSevere', () => {
  it('takes the most severe, and the earlier of equals', () => {
    expect(mostSevere(['kept', 'promoted', 'inconclusive'])).toBe('inconclusive');
    expect(mostSevere(['kept', 'regression', 'demoted'])).toBe('regression');
    expect(mostSevere(['demoted', 'regression', 'kept'])).toBe('demoted');
    expect(mostSevere(['regression', 'error'])).toBe('error');
    expect(mostSevere([])).toBeNull();
  });
});
