import { NotFoundException } from '@nestjs/common';
import { KilnError } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { errorResponse } from './error-response.js';

const coded = (code: string, more: object = {}) => Object.assign(new Error(`secret host (${code})`), { code, ...more });

describe('errorResponse', () => {
  it('answers a KilnError in its own words, with Retry-After where waiting helps', () => {
    const response = errorResponse(new KilnError('eval_queue_full', '32 jobs wait', { hint: 'wait' }), 'r1');
    expect(response).toEqual({
      status: 503,
      headers: { 'retry-after': '15' },
      body: { error: { code: 'eval_queue_full', message: '32 jobs wait', hint: 'wait' } },
      unexpected: false,
    });
  });

  it('challenges a caller without a key', () => {
    expect(errorResponse(new KilnError('unauthorized', 'no key'), 'r').headers).toEqual({ 'www-authenticate': 'Bearer' });
  });

  it.each([
    ['body too large', coded('FST_ERR_CTP_BODY_TOO_LARGE', { statusCode: 413 }), 413, 'payload_too_large'],
    ['media type', coded('FST_ERR_CTP_INVALID_MEDIA_TYPE', { statusCode: 415 }), 415, 'unsupported_media_type'],
    ['bad length', coded('FST_ERR_CTP_INVALID_CONTENT_LENGTH', { statusCode: 400 }), 400, 'eval_invalid_request'],
    ['unknown path', new NotFoundException('Cannot GET /x'), 404, 'not_found'],
    ['connection refused', coded('ECONNREFUSED'), 503, 'database_unavailable'],
    ['shutting down', coded('57P01'), 503, 'database_unavailable'],
    ['syntax error', coded('42601'), 500, 'internal_error'],
    ['anything', 'a string', 500, 'internal_error'],
  ])('%s', (_name, thrown, status, code) => {
    const response = errorResponse(thrown, 'r9');
    expect([response.status, response.body.error.code]).toEqual([status, code]);
  });

  it('keeps the cause of an internal error to the log, under the request id', () => {
    const response = errorResponse(new Error('password=hunter2'), 'r9');
    expect(response.unexpected).toBe(true);
    expect(JSON.stringify(response.body)).not.toContain('hunter2');
    expect(response.body.error.message).toContain('r9');
  });

  it('tells how to upload what is too large', () => {
    expect(errorResponse(coded('FST_ERR_CTP_BODY_TOO_LARGE', { statusCode: 413 }), 'r').body.error.hint).toContain('application/jsonl');
  });
});
