import { describe, expect, it } from 'vitest';
import { strictnessFlaws, type StrictnessFacts } from './strictness-flaws.js';

const DIGEST = `sha256:${'0'.repeat(64)}`;
const STRICT: StrictnessFacts = {
  target: {
    kind: 'model',
    engine: 'onnx',
    model: 'm',
    adapter: null,
    model_digest: DIGEST,
    adapter_digest: null,
    tokenizer_digest: DIGEST,
    template_digest: DIGEST,
    pricing: { kind: 'free' },
  },
  samples: 120,
  stored: 120,
  executions: 1,
  unattributed: 0,
  endedByTime: 0,
};
const ENDPOINT: StrictnessFacts['target'] = {
  kind: 'endpoint',
  base_url: 'http://localhost/v1',
  model: 'm',
  api_key_env: null,
  revision: null,
  headers: {},
  timeout_ms: 1,
  concurrency: 1,
  pricing: { kind: 'free' },
};

describe('strictnessFlaws', () => {
  it('finds none in a complete run of one execution', () => {
    expect(strictnessFlaws(STRICT)).toEqual([]);
  });

  it.each<[string, Partial<StrictnessFacts>, RegExp]>([
    ['an endpoint', { target: ENDPOINT }, /endpoint/],
    ['errors', { stored: 118 }, /^2 of 120 completions have no stored text/],
    ['texts of unknown origin', { unattributed: 3, executions: 1 }, /^3 completions have no record/],
    ['several executions', { executions: 2 }, /^2 different executions/],
    ['limits of time', { endedByTime: 1 }, /limit of time/],
  ])('names %s', (_what, change, message) => {
    expect(strictnessFlaws({ ...STRICT, ...change })).toEqual([expect.stringMatching(message)]);
  });

  it('names all of them', () => {
    expect(strictnessFlaws({ ...STRICT, stored: 1, unattributed: 1, executions: 3, endedByTime: 1 })).toHaveLength(4);
  });
});
