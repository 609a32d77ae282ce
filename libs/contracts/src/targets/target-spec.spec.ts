import { describe, expect, it } from 'vitest';
import { parseWith } from '../errors/parse-with.js';
import { TargetSpec } from './target-spec.js';

const endpoint = { kind: 'endpoint', base_url: 'http://localhost:8000/v1', model: 'm', pricing: { kind: 'unknown' } };

describe('TargetSpec', () => {
  it('keeps apart the active adapter (omitted) and the base model ("")', () => {
    expect(TargetSpec.parse({ kind: 'model' })).toEqual({ kind: 'model' });
    expect(TargetSpec.parse({ kind: 'model', adapter: '' })).toEqual({ kind: 'model', adapter: '' });
  });

  it('writes prices as canonical decimals', () => {
    const pricing = { kind: 'per_token', input: 0.25, output: '1.250' };
    expect(TargetSpec.parse({ ...endpoint, pricing })).toMatchObject({ pricing: { input: '0.25', output: '1.25' } });
  });

  it('knows agents and workflows', () => {
    expect(TargetSpec.parse({ kind: 'agent', command: ['./run'] }).kind).toBe('agent');
    expect(TargetSpec.parse({ kind: 'workflow', workflow: 'w' }).kind).toBe('workflow');
  });

  it.each([
    [{ kind: 'human' }, 'kind: unknown target kind; use model, endpoint, agent or workflow'],
    [{ ...endpoint, pricing: undefined }, 'pricing: is required'],
    [{ ...endpoint, pricing: { kind: 'free', usd: 1 } }, 'pricing: unknown field "usd"'],
    [{ ...endpoint, pricing: { kind: 'per_second', usd: -1 } }, 'pricing.usd: must be US dollars'],
    [{ ...endpoint, pricing: { kind: 'per_token', input: '1' } }, 'pricing.output: is required'],
    [{ ...endpoint, base_url: 'localhost:8000' }, 'base_url: must begin with http:// or https://'],
    [{ ...endpoint, base_url: 'nonsense' }, 'base_url: must be a URL'],
    [{ ...endpoint, base_url: 'https://user:pass@h/v1' }, 'base_url: must not carry a user or password'],
    [{ ...endpoint, base_url: 'https://h/v1?key=1' }, 'base_url: must not have a query'],
    [{ ...endpoint, api_key_env: 'sk-1234' }, 'api_key_env: must be the name of an environment variable'],
    [{ ...endpoint, headers: { Authorization: 'Bearer x' } }, 'headers.Authorization: would be stored'],
    [{ ...endpoint, headers: { 'X-Api-Key': 'x' } }, 'headers.X-Api-Key: would be stored'],
    [{ ...endpoint, headers: { 'a b': 'x' } }, 'headers["a b"]: is not a header name'],
    [{ ...endpoint, headers: { a: 'x\r\nb: c' } }, 'headers.a: must be one line'],
    [{ ...endpoint, timeout_ms: 0 }, 'timeout_ms: must be at least 1'],
    [{ kind: 'model', name: ' ' }, 'name: must not be blank'],
  ])('refuses %o', (written, message) => {
    expect(() => parseWith(TargetSpec, written, 'target')).toThrow(message);
  });
});
