import { describe, expect, it } from 'vitest';
import { baseSeed, effectiveGeneration, effectiveScorer, effectiveTools, sampleGeneration } from './effective-settings.js';
import { effectiveThinkingBudget } from './effective-thinking-budget.js';
import { promptMessages } from './prompt-messages.js';
import { example, header } from './suite-text.fixture.js';
import { Generation } from '@kiln/contracts';

describe('effectiveGeneration', () => {
  const suite = header({ generation: { max_tokens: 8, stop: ['.'] } });
  const override = Generation.parse({ temperature: 0.5 });

  it('replaces as a whole: example, then run override, then suite', () => {
    expect(effectiveGeneration(suite, example(), null)).toMatchObject({ max_tokens: 8, stop: ['.'], temperature: 0 });
    expect(effectiveGeneration(suite, example(), override)).toMatchObject({ max_tokens: 256, stop: [], temperature: 0.5 });
    expect(effectiveGeneration(suite, example({ generation: { top_k: 3 } }), override)).toMatchObject({
      max_tokens: 256,
      temperature: 0,
      top_k: 3,
    });
  });

  it('keeps an absent thinking budget absent and an unlimited one null', () => {
    const generation = effectiveGeneration(suite, example({ generation: { thinking_budget_ms: null } }), null);
    expect('thinking_budget_tokens' in generation).toBe(false);
    expect(generation.thinking_budget_ms).toBeNull();
  });
});

describe('sampleGeneration', () => {
  const suite = header({ generation: { max_tokens: 8, thinking_budget_tokens: 5 } });

  it('inherits each limit on reasoning by itself, whatever replaces the other settings', () => {
    const own = example({ generation: { top_k: 3, thinking_budget_ms: 70 } });
    expect(sampleGeneration(suite, own, null)).toMatchObject({
      top_k: 3,
      max_tokens: 256,
      thinking_budget_tokens: 5,
      thinking_budget_ms: 70,
    });
    expect(sampleGeneration(suite, example(), Generation.parse({ thinking_budget_tokens: 9 }))).toMatchObject({
      thinking_budget_tokens: 9,
    });
  });

  it('takes the server’s limits where nobody names one, and none where somebody wants none', () => {
    const defaults = { thinking_budget_tokens: 100, thinking_budget_ms: 2000 };
    expect(sampleGeneration(suite, example(), null, defaults)).toMatchObject({ thinking_budget_tokens: 5, thinking_budget_ms: 2000 });
    const unlimited = sampleGeneration(suite, example({ generation: { thinking_budget_tokens: null } }), null, defaults);
    expect('thinking_budget_tokens' in unlimited).toBe(false);
    expect(effectiveThinkingBudget(suite, null, null, defaults)).toEqual({
      configured: true,
      max_tokens: 5,
      max_time_ms: 2000,
      tokens_source: 'suite',
      time_source: 'server_default',
    });
  });
});

describe('baseSeed', () => {
  it('is the example’s own seed, else the job’s', () => {
    expect(baseSeed(example(), 42n)).toBe(42n);
    expect(baseSeed(example({ generation: { top_k: 3 } }), 42n)).toBe(42n);
    expect(baseSeed(example({ generation: { seed: '18446744073709551615' } }), 42n)).toBe(2n ** 64n - 1n);
  });
});

describe('effectiveScorer and effectiveTools', () => {
  const tools = [{ name: 'get_weather' }];

  it('prefer the example', () => {
    expect(effectiveScorer(header(), example()).kind).toBe('exact_match');
    expect(effectiveScorer(header(), example({ scorer: { kind: 'json_validity' } })).kind).toBe('json_validity');
    expect(effectiveTools(header({ tools }), example())).toEqual(tools);
    expect(effectiveTools(header({ tools }), example({ tools: [{ name: 'other' }] }))).toEqual([{ name: 'other' }]);
  });

  it('an empty catalogue means no tools', () => {
    expect(effectiveTools(header({ tools }), example({ tools: [] }))).toBeNull();
    expect(effectiveTools(header({ tools: [] }), example())).toBeNull();
    expect(effectiveTools(header(), example())).toBeNull();
  });
});

describe('promptMessages', () => {
  const system = { role: 'system', content: 'own' };
  const roles = (suite: object, written: object) =>
    promptMessages(header(suite), example(written)).map(({ role, content }) => `${role}:${content}`);

  it('puts the system prompt before pinned history and messages', () => {
    expect(roles({ system_prompt: 'be brief' }, { pinned_history: [{ role: 'user', content: 'h' }] })).toEqual([
      'system:be brief',
      'user:h',
      'user:q',
    ]);
    expect(roles({}, {})).toEqual(['user:q']);
  });

  it('keeps a system message of the example instead', () => {
    expect(roles({ system_prompt: 'be brief' }, { messages: [system, { role: 'user', content: 'q' }] })).toEqual(['system:own', 'user:q']);
    expect(roles({ system_prompt: 'be brief' }, { pinned_history: [system] })).toEqual(['system:own', 'user:q']);
  });
});
