import { CompareRequest, RunRequest, parseWith } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { compareBody, runBody, submissionHeaders } from './job-request.js';
import { PROBE_SCORERS, probeSuite } from './probe-command.js';
import { DEMO_COMPARE } from '../demo/demo-plan.js';

describe('runBody', () => {
  it('leaves out what was not asked for: an omitted adapter is the active one, an empty one the base model', async () => {
    expect(await runBody({ suite: 's' }, {})).toEqual({ suite: 's' });
    expect(await runBody({ suite: 's' }, { adapter: '' })).toEqual({ suite: 's', adapter: '' });
  });

  it('carries every option to its field', async () => {
    const flags = { adapter: 'a', model: 'm', seed: '7', label: { git_sha: 'f' }, costCap: '0.5', tokenCap: 10, concurrency: 3 };
    const body = await runBody({ suite: 's' }, flags);
    expect(body).toEqual({
      suite: 's',
      adapter: 'a',
      model: 'm',
      seed: '7',
      labels: { git_sha: 'f' },
      cost_cap: '0.5',
      token_cap: 10,
      concurrency: 3,
    });
    expect(parseWith(RunRequest, body, 'request').seed).toBe(7n);
  });

  it('names the judge, by its name or as a target, and reuses traces unless told not to', async () => {
    expect(await runBody({ suite: 's' }, { judge: 'qwen3-8b', reuse: true })).toEqual({
      suite: 's',
      judge: { kind: 'model', model: 'qwen3-8b', adapter: '' },
    });
    expect(await runBody({ suite: 's' }, { judge: 'qwen/qwen3-8b' })).toMatchObject({ judge: { model: 'qwen/qwen3-8b' } });
    const judge = '{"kind": "endpoint", "base_url": "http://localhost:1/v1", "model": "m", "pricing": {"kind": "free"}}';
    const body = await runBody({ suite: 's' }, { judge, reuse: false });
    expect(parseWith(RunRequest, body, 'request')).toMatchObject({ judge: { kind: 'endpoint', model: 'm' }, reuse: 'never' });
    await expect(runBody({ suite: 's' }, { judge: 'no/such.json' })).rejects.toThrow('judge: there is no file "no/such.json"');
  });
});

describe('compareBody', () => {
  const flags = { suite: 's', adapter: ['', 'a'] };

  it('has a gate only when a requirement was given', async () => {
    expect(await compareBody(flags)).toEqual({ suite: 's', adapters: ['', 'a'] });
    expect((await compareBody({ ...flags, minAccuracy: 0.8 })).gate).toEqual({ policy: 'paired_wilson_v1', min_accuracy: 0.8 });
  });

  it('sets no floor when only another requirement was given', async () => {
    const { gate } = await compareBody({ ...flags, minAbsoluteGain: 0.05, minRelativeRecovery: 0.9 });
    expect(gate).toEqual({ policy: 'paired_wilson_v1', min_accuracy: 0, min_relative_recovery: 0.9, min_absolute_gain: 0.05 });
  });

  it('refuses one adapter alone: there is nothing to compare with', async () => {
    await expect(compareBody({ suite: 's', adapter: ['a'] })).rejects.toMatchObject({
      message: 'adapter: there is only one, and nothing to compare it with',
      status: 400,
    });
    await expect(compareBody({ suite: 's', adapter: ['a'], baseline: 'a' })).rejects.toThrow('only one');
    expect(await compareBody({ suite: 's', adapter: ['a'], baseline: '' })).toEqual({ suite: 's', adapters: ['a'], baseline: '' });
  });

  it('is a request that the contract accepts', async () => {
    const body = await compareBody({ ...flags, baseline: '', minAccuracy: 0.5, seed: '42' });
    expect(() => parseWith(CompareRequest, body, 'request')).not.toThrow();
  });
});

describe('submissionHeaders', () => {
  it('sends a key only when there is one', () => {
    expect(submissionHeaders({})).toEqual({});
    expect(submissionHeaders({ idempotencyKey: 'k' })).toEqual({ 'idempotency-key': 'k' });
  });
});

describe('the demo', () => {
  it('asks for a comparison that the contract accepts', () => {
    expect(parseWith(CompareRequest, DEMO_COMPARE, 'request').adapters).toHaveLength(4);
  });
});

describe('probeSuite', () => {
  it.each(PROBE_SCORERS)('makes a suite that the contract accepts for %s', async (scorer) => {
    const body = await runBody(
      { inline_suite: probeSuite({ prompt: '47 + 138?', target: '185', scorer, system: 'Count.', maxTokens: 8 }) },
      {},
    );
    expect(() => parseWith(RunRequest, body, 'request')).not.toThrow();
  });

  it('lets a pattern and a phrase decide by themselves', () => {
    expect(probeSuite({ prompt: 'p', target: 't+', scorer: 'regex' })).toMatchObject({ default_scorer: { kind: 'regex', pattern: 't+' } });
    expect(probeSuite({ prompt: 'p', target: 't', scorer: 'contains' }).examples[0]).not.toHaveProperty('target');
  });
});
