import { CompareRequest, RunRequest, parseWith } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { compareBody, runBody, submissionHeaders } from './job-request.js';
import { PROBE_SCORERS, probeSuite } from './probe-command.js';
import { DEMO_COMPARE } from '../demo/demo-plan.js';

describe('runBody', () => {
  it('leaves out what was not asked for: an omitted adapter is the active one, an empty one the base model', () => {
    expect(runBody({ suite: 's' }, {})).toEqual({ suite: 's' });
    expect(runBody({ suite: 's' }, { adapter: '' })).toEqual({ suite: 's', adapter: '' });
  });

  it('carries every option to its field', () => {
    const flags = { adapter: 'a', model: 'm', seed: '7', label: { git_sha: 'f' }, costCap: '0.5', tokenCap: 10, concurrency: 3 };
    const body = runBody({ suite: 's' }, flags);
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
});

describe('compareBody', () => {
  const flags = { suite: 's', adapter: ['', 'a'] };

  it('has a gate only when a requirement was given', () => {
    expect(compareBody(flags)).toEqual({ suite: 's', adapters: ['', 'a'] });
    expect(compareBody({ ...flags, minAccuracy: 0.8 }).gate).toEqual({ policy: 'paired_wilson_v1', min_accuracy: 0.8 });
  });

  it('sets no floor when only another requirement was given', () => {
    const { gate } = compareBody({ ...flags, minAbsoluteGain: 0.05, minRelativeRecovery: 0.9 });
    expect(gate).toEqual({ policy: 'paired_wilson_v1', min_accuracy: 0, min_relative_recovery: 0.9, min_absolute_gain: 0.05 });
  });

  it('is a request that the contract accepts', () => {
    expect(() => parseWith(CompareRequest, compareBody({ ...flags, baseline: '', minAccuracy: 0.5, seed: '42' }), 'request')).not.toThrow();
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
  it.each(PROBE_SCORERS)('makes a suite that the contract accepts for %s', (scorer) => {
    const body = runBody({ inline_suite: probeSuite({ prompt: '47 + 138?', target: '185', scorer, system: 'Count.', maxTokens: 8 }) }, {});
    expect(() => parseWith(RunRequest, body, 'request')).not.toThrow();
  });

  it('lets a pattern and a phrase decide by themselves', () => {
    expect(probeSuite({ prompt: 'p', target: 't+', scorer: 'regex' })).toMatchObject({ default_scorer: { kind: 'regex', pattern: 't+' } });
    expect(probeSuite({ prompt: 'p', target: 't', scorer: 'contains' }).examples[0]).not.toHaveProperty('target');
  });
});
