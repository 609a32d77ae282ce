import { describe, expect, it } from 'vitest';
import { createLogger, logFor, type LoggerOptions } from './create-logger.js';

function capture(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const logger = createLogger('worker', { level: 'info', destination: { write: (line) => void lines.push(line) }, ...options });
  return { logger, lines, entry: (at = 0) => JSON.parse(lines[at] ?? 'null') as Record<string, unknown> };
}

describe('createLogger', () => {
  it('writes one JSON line with the service, an ISO time and the bound ids', () => {
    const { logger, entry, lines } = capture();
    logFor(logger, { project: 'p', job: 'j', run: 'r', shard: 's' }).info({ count: 2 }, 'claimed');
    expect(lines).toHaveLength(1);
    expect(entry()).toMatchObject({ service: 'worker', project: 'p', job: 'j', run: 'r', shard: 's', count: 2, msg: 'claimed' });
    expect(entry()['time']).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it.each([
    ['header', { headers: { authorization: 'Bearer abcdef123456' } }, 'abcdef123456'],
    ['header list', { headers: { 'set-cookie': ['sid=topsecret'] } }, 'topsecret'],
    ['environment name', { env: { OPENAI_API_KEY: 'sk-12345' } }, 'sk-12345'],
    ['deeply nested', { a: { b: { c: { password: 'hun"ter2' } } } }, 'ter2'],
    ['database url', { url: 'postgres://kiln:s3cret@db.example:5432/kiln' }, 's3cret'],
    ['redis url without a user', { url: 'redis://:s3cret@cache:6379' }, 's3cret'],
    ['our own key', { text: `use kiln_${'a'.repeat(43)} here` }, 'aaaaaaaaaaaaaaaaaaaa'],
  ])('masks a secret: %s', (_what, fields, secret) => {
    const { logger, lines, entry } = capture();
    logger.info(fields, 'connecting');
    expect(lines[0]).not.toContain(secret);
    expect(lines[0]).toContain('***');
    expect(entry()['msg']).toBe('connecting');
  });

  it('masks secrets in messages and stacks too', () => {
    const { logger, lines } = capture();
    logger.error({ err: new Error('connect to postgres://kiln:s3cret@db/kiln failed') }, 'tried with Bearer abcdef123456');
    expect(lines[0]).not.toMatch(/s3cret|abcdef123456/);
  });

  it('leaves what only looks like a secret', () => {
    const { logger, entry } = capture();
    logger.info(
      { prompt_tokens: 12, tokenizer_digest: 'sha256:ab', api_key_env: 'OPENAI_API_KEY', at: 'https://host/a:b@c' },
      'at 10:20@home',
    );
    expect(entry()).toMatchObject({
      prompt_tokens: 12,
      tokenizer_digest: 'sha256:ab',
      api_key_env: 'OPENAI_API_KEY',
      at: 'https://host/a:b@c',
      msg: 'at 10:20@home',
    });
  });

  it('cannot be broken by text from a model (row 48: NUL, lone surrogate, newline)', () => {
    const { logger, lines, entry } = capture();
    const text = 'a\u0000b\ud800c\n{"level":60,"msg":"forged"}';
    logger.info({ text }, text);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toContain('\n');
    expect(entry()).toMatchObject({ text, msg: text, level: 30 });
  });

  it('bounds errors and their causes', () => {
    const { logger, lines, entry } = capture();
    let error: Error = new Error('x'.repeat(100_000));
    for (let i = 0; i < 20; i += 1) error = new Error('y'.repeat(100_000), { cause: error });
    logger.error({ err: Object.assign(error, { code: '57P01', detail: 'a row' }) }, 'failed');
    expect(lines[0]?.length).toBeLessThan(30_000);
    expect(entry()['err']).toMatchObject({ type: 'Error', code: '57P01', cause: { type: 'Error' } });
    expect(entry()['err']).not.toHaveProperty('detail');
  });

  it('prints lines for people when asked', () => {
    const { logger, lines } = capture({ pretty: true });
    logger.warn({ job: 'j1', url: 'redis://:s3cret@cache' }, 'late');
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} WARN  worker: late job=j1 url=redis:\/\/:\*\*\*@cache\n$/);
  });

  it('gives a terminal no commands that a model wrote, and one line for one line', () => {
    const { logger, lines } = capture({ pretty: true });
    logger.warn({ text: '\u009b2Jok\u202e' }, 'a\nINFO forged\u001b[2J');
    expect(lines[0]).toContain('worker: a\\u000aINFO forged\\u001b[2J text=\\u009b2Jok\\u202e\n');
    logger.error({ err: new Error('red \u001b[31m') }, 'failed');
    expect(lines[1]).toMatch(/ERROR worker: failed\n {2}Error: red \\u001b\[31m\n {4}at /);
  });
});
