import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config, KilnError, configSettings } from '@kiln/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from './load-config.js';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'kiln-config-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

function failure(sources: Parameters<typeof loadConfig>[0]): KilnError {
  try {
    loadConfig({ directory, env: {}, ...sources });
  } catch (error) {
    if (error instanceof KilnError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

describe('loadConfig', () => {
  it('is all defaults without a file and an environment', () => {
    const config = loadConfig({ directory, env: {} });
    expect(config).toEqual(Config.parse({}));
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8420,
      body_limit_bytes: 33_554_432,
      eval: { max_queued_jobs: 32, max_tracked_jobs: 1024, webhook_url: null },
    });
  });

  it('puts the environment over the file over defaults', () => {
    const path = file('layers.yaml', 'port: 9000\neval:\n  max_queued_jobs: 7\n  max_tracked_jobs: 70\n');
    const config = loadConfig({ directory, file: path, env: { KILN_EVAL_MAX_QUEUED_JOBS: '8', KILN_LOG_PRETTY: 'true' } });
    expect(config.port).toBe(9000);
    expect(config.eval).toMatchObject({ max_queued_jobs: 8, max_tracked_jobs: 70 });
    expect(config.log).toEqual({ level: 'info', pretty: true });
  });

  it('reads JSON, finds kiln.json by itself, and takes KILN_CONFIG before it', () => {
    const own = mkdtempSync(join(directory, 'own-'));
    writeFileSync(join(own, 'kiln.json'), '{"port": 1}');
    writeFileSync(join(own, 'other.yaml'), 'port: 2');
    expect(loadConfig({ directory: own, env: {} }).port).toBe(1);
    expect(loadConfig({ directory: own, env: { KILN_CONFIG: 'other.yaml' } }).port).toBe(2);
  });

  it('lets an empty file and an empty variable set nothing', () => {
    expect(loadConfig({ directory, file: file('empty.yaml', '# nothing\n'), env: { KILN_PORT: '' } }).port).toBe(8420);
    expect(loadConfig({ directory, file: file('empty.json', ''), env: {} }).port).toBe(8420);
  });

  it('leaves KILN_ variables of other programs alone', () => {
    expect(loadConfig({ directory, env: { KILN_SERVER_URL: 'http://x', KILN_REQUIRE: 'all' } }).port).toBe(8420);
  });

  it.each([
    [{ env: { KILN_PORT: 'eighty' } }, 'KILN_PORT: expected a number, got "eighty"'],
    [{ env: { KILN_PORT: '65536' } }, 'KILN_PORT: must be at most 65535, got 65536'],
    [{ env: { KILN_WORKER_SLOTS: '1.5' } }, 'KILN_WORKER_SLOTS: expected a whole number, got 1.5'],
    [{ env: { KILN_LOG_LEVEL: 'loud' } }, 'KILN_LOG_LEVEL: must be one of "trace"'],
    [{ env: { KILN_DATABASE_URL: 'mysql://u:secret@h/d' } }, 'KILN_DATABASE_URL: must begin with postgres:// or postgresql://'],
    [{ env: { KILN_REDIS_URL: 'localhost' } }, 'KILN_REDIS_URL: is not a URL'],
    [{ env: { KILN_QUEUE_BACKEND: 'redis' } }, 'redis_url: is not set, and queue.backend is "redis"'],
    [{ env: { KILN_EVAL_MAX_QUEUED_JOBS: '2000' } }, 'eval.max_tracked_jobs: is 1024, less than max_queued_jobs (2000)'],
    [{ env: { KILN_LEASE_HEARTBEAT_MS: '20000' } }, 'KILN_LEASE_HEARTBEAT_MS: is 20000; it must be at most half of ttl_ms (30000)'],
    [{ env: { KILN_EVAL_WEBHOOK_URL: 'ftp://x' } }, 'KILN_EVAL_WEBHOOK_URL: must begin with http:// or https://'],
    [{ file: 'absent.yaml' }, 'absent.yaml: does not exist'],
  ])('refuses %o', (sources, message) => {
    expect(failure(sources).message).toContain(message);
  });

  it('names the file and the field of an unknown setting', () => {
    const error = failure({ file: file('typo.yaml', 'evals: {}\n') });
    expect(error.message).toMatch(/typo\.yaml: .*unknown field "evals"/);
  });

  it('names the line of a syntax error', () => {
    expect(failure({ file: file('bad.yaml', 'port: 1\nhost: [\n') }).message).toMatch(/bad\.yaml: not valid YAML: .*line/s);
    expect(failure({ file: file('bad.json', '{') }).message).toMatch(/bad\.json: not valid JSON/);
    expect(failure({ file: file('list.yaml', '- 1\n') }).message).toContain('got a list');
  });

  it('never repeats a password', () => {
    const error = failure({ env: { KILN_DATABASE_URL: 'mysql://user:hunter2@host/db' } });
    expect(`${error.message} ${error.hint}`).not.toContain('hunter2');
  });

  it('explains the variable that Kubernetes sets for a Service named kiln', () => {
    expect(failure({ env: { KILN_PORT: 'tcp://10.0.0.1:8420' } }).hint).toContain('enableServiceLinks: false');
  });

  it('gives every setting its own variable', () => {
    const variables = configSettings().map((setting) => setting.variable);
    expect(new Set(variables).size).toBe(variables.length);
    expect(variables).toContain('KILN_LEASE_TTL_MS');
  });
});
