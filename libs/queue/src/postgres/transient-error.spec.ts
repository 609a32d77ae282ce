import { describe, expect, it } from 'vitest';
import { isTransient } from './transient-error.js';

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code });

describe('isTransient (row 17)', () => {
  it.each(['57P01', '57P02', '57P03', '08006', '08P01', '40001', '40P01', '53300', 'ECONNRESET', 'ECONNREFUSED'])(
    'takes %s for the server',
    (code) => {
      expect(isTransient(withCode(code))).toBe(true);
    },
  );

  it.each(['Connection terminated unexpectedly', 'Connection terminated', 'Query read timeout', 'timeout exceeded when trying to connect'])(
    'takes "%s" for the server',
    (message) => {
      expect(isTransient(new Error(message))).toBe(true);
    },
  );

  it.each(['42601', '22P05', '23505', '28P01', '3D000', 'BM001'])('takes %s for the question', (code) => {
    expect(isTransient(withCode(code))).toBe(false);
  });

  it('takes what is no error for the question', () => {
    expect(isTransient('57P01')).toBe(false);
  });
});
