import { describe, expect, it } from 'vitest';
import { parseWith } from '../errors/parse-with.js';
import { Config } from './config.js';
import { queueBackend } from './queue-backend.js';

const database_url = 'postgresql://h/d';
const redis_url = 'redis://h:6379';

describe('Config', () => {
  it.each([
    [{ eval: { max_queued_jobs: 0 } }, 'eval.max_queued_jobs: must be at least 1'],
    [{ eval: { max_tracked_jobs: 31 } }, 'eval.max_tracked_jobs: is 31, less than max_queued_jobs (32)'],
    [{ lease: { ttl_ms: 1000, heartbeat_ms: 501 } }, 'lease.heartbeat_ms: is 501; it must be at most half'],
    [{ worker: { pool: 'GPU 1' } }, 'worker.pool: must be lowercase'],
    [{ database_url: '' }, 'database_url: must not be empty'],
    [{ queue: { backend: 'redis' } }, 'redis_url: is not set'],
    [{ queue: { backend: 'kafka' } }, 'queue.backend: must be one of "auto", "redis", "postgres"'],
    [{ log: { levle: 'info' } }, 'log: unknown field "levle"'],
  ])('refuses %o', (written, message) => {
    expect(() => parseWith(Config, written, 'configuration')).toThrow(message);
  });

  it('takes the edges', () => {
    expect(Config.parse({ eval: { max_tracked_jobs: 32 }, lease: { ttl_ms: 1000, heartbeat_ms: 500 } }).eval.max_tracked_jobs).toBe(32);
  });
});

describe('queueBackend', () => {
  it.each([
    [{ database_url }, { backend: 'postgres', url: database_url }],
    [
      { database_url, redis_url },
      { backend: 'redis', url: redis_url },
    ],
    [
      { database_url, redis_url, queue: { backend: 'postgres' } },
      { backend: 'postgres', url: database_url },
    ],
    [
      { database_url, redis_url, queue: { backend: 'redis' } },
      { backend: 'redis', url: redis_url },
    ],
  ])('%o uses %o', (written, backend) => {
    expect(queueBackend(Config.parse(written))).toEqual(backend);
  });

  it('says what to set when there is neither', () => {
    expect(() => queueBackend(Config.parse({}))).toThrow('neither redis_url nor database_url is set');
  });
});
