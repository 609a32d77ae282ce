import { describe, expect, it } from 'vitest';
import { redactLine } from './redact-line.js';

describe('redactLine', () => {
  it('stays linear on long hostile text', () => {
    const started = performance.now();
    for (const unit of ['a', 'a://', '"', '"password', 'Bearer ', 'kiln_', 'x:y@'])
      redactLine(JSON.stringify({ text: unit.repeat(300_000 / unit.length) }));
    expect(performance.now() - started).toBeLessThan(1_500);
  });

  it('keeps a line valid JSON', () => {
    const line = JSON.stringify({
      'x-api-key': ['a', 'b"]'],
      cookie: 'a\\"b',
      nested: { token: 't', tokens: ['u'] },
      text: '{"password":"p"}',
    });
    expect(JSON.parse(redactLine(line))).toEqual({
      'x-api-key': '***',
      cookie: '***',
      nested: { token: '***', tokens: ['u'] },
      text: '{"password":"p"}',
    });
  });
});
