import { type FrozenTarget } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { sampleDeadlineMs } from './sample-deadline.js';

const endpoint = (timeout_ms: number): FrozenTarget => ({
  kind: 'endpoint',
  base_url: 'http://localhost:8000/v1',
  model: 'm',
  api_key_env: null,
  revision: null,
  headers: {},
  timeout_ms,
  concurrency: 1,
  pricing: { kind: 'free' },
});

describe('sampleDeadlineMs', () => {
  it('never cuts off an answer that the target allows', () => {
    expect(sampleDeadlineMs(endpoint(3_600_000))).toBe(3_600_000);
  });

  it('leaves room for other attempts where one answer is quick', () => {
    expect(sampleDeadlineMs(endpoint(1_000))).toBe(300_000);
  });
});
