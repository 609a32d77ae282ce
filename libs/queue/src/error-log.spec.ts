import { createLogger } from '@kiln/observability';
import { describe, expect, it } from 'vitest';
import { createErrorLog } from './error-log.js';

describe('createErrorLog', () => {
  it('logs a storm of the same error once, and another error at once', () => {
    const lines: string[] = [];
    const logError = createErrorLog(createLogger('test', { level: 'warn', destination: { write: (line) => void lines.push(line) } }));
    for (let i = 0; i < 1_000; i += 1) logError('redis', new Error('connect ECONNREFUSED'));
    logError('redis', new Error('READONLY'));
    expect(lines.map((line) => (JSON.parse(line) as { err: { message: string } }).err.message)).toEqual([
      'connect ECONNREFUSED',
      'READONLY',
    ]);
  });
});
