import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWith } from '../errors/parse-with.js';
import { Generation } from './generation.js';

describe('Generation', () => {
  it('fills the contract’s defaults, and leaves absent thinking budgets absent', () => {
    expect(Generation.parse({})).toEqual({
      temperature: 0,
      top_p: 1,
      top_k: 0,
      max_tokens: 256,
      n: 1,
      stop: [],
      seed: null,
      chat_template_kwargs: null,
    });
  });

  it('keeps the three states of a thinking budget apart, through JSON too', () => {
    const budget = fc.option(fc.nat(), { nil: null });
    const written = fc.record({ thinking_budget_tokens: budget, thinking_budget_ms: budget }, { requiredKeys: [] });
    fc.assert(
      fc.property(written, (value) => {
        const parsed = Generation.parse(JSON.parse(JSON.stringify(Generation.parse(value))));
        for (const field of ['thinking_budget_tokens', 'thinking_budget_ms'] as const) {
          expect(field in parsed).toBe(field in value);
          expect(parsed[field]).toBe(value[field]);
        }
      }),
    );
  });

  it('is the same parsed twice', () => {
    const once = Generation.parse({ seed: '0042', thinking_budget_ms: 0, stop: ['\n'] });
    expect(once.seed).toBe('42');
    expect(Generation.parse(once)).toEqual(once);
  });

  it('leaves out what does nothing, so that settings have one hash whether it is written or not', () => {
    const neutral = { min_p: 0, repetition_penalty: 1, presence_penalty: 0, frequency_penalty: 0, logit_bias: {} };
    expect(Generation.parse(neutral)).toEqual(Generation.parse({}));
    expect(Object.keys(Generation.parse(neutral))).toEqual(Object.keys(Generation.parse({})));
    const effective = { min_p: 0.05, repetition_penalty: 1.1, presence_penalty: -1, frequency_penalty: 0.5, logit_bias: { '17': -100 } };
    expect(Generation.parse(effective)).toMatchObject(effective);
  });

  it('gives each parse its own lists', () => {
    expect(Generation.parse({}).stop).not.toBe(Generation.parse({}).stop);
  });

  it.each([
    { temperature: 2 },
    { top_p: 0.000001 },
    { n: 128 },
    { max_tokens: 1 },
    { thinking_budget_tokens: 0 },
    { thinking_budget_tokens: null },
    { seed: '18446744073709551615' },
    { chat_template_kwargs: { enable_thinking: true } },
  ])('takes %o', (value) => expect(Generation.safeParse(value).success).toBe(true));

  it.each([
    [{ temperature: 2.01 }, 'temperature: must be at most 2'],
    [{ temperature: -0.1 }, 'temperature: must be at least 0'],
    [{ temperature: Number.NaN }, 'temperature: must be a finite number'],
    [{ top_p: 0 }, 'top_p: must be more than 0'],
    [{ top_p: 1.1 }, 'top_p: must be at most 1'],
    [{ top_k: -1 }, 'top_k: must be at least 0'],
    [{ top_k: 1.5 }, 'top_k: expected a whole number'],
    [{ max_tokens: 0 }, 'max_tokens: must be at least 1'],
    [{ n: 0 }, 'n: must be at least 1'],
    [{ n: 129 }, 'n: must be at most 128'],
    [{ n: '1' }, 'n: expected a number, got "1"'],
    [{ stop: '\n' }, 'stop: expected an array'],
    [{ stop: [''] }, 'stop[0]: must have at least 1 character'],
    [{ seed: '18446744073709551616' }, 'seed: is above'],
    [{ thinking_budget_tokens: -1 }, 'thinking_budget_tokens: must be at least 0'],
    [{ thinking_budget_ms: 0.5 }, 'thinking_budget_ms: expected a whole number'],
    [{ min_p: 1.5 }, 'min_p: must be at most 1'],
    [{ repetition_penalty: 0 }, 'repetition_penalty: must be more than 0'],
    [{ presence_penalty: 3 }, 'presence_penalty: must be at most 2'],
    [{ frequency_penalty: -3 }, 'frequency_penalty: must be at least -2'],
    [{ logit_bias: { '5': 101 } }, 'logit_bias["5"]: must be at most 100'],
    [{ logit_bias: { five: 1 } }, 'must be the id of a token'],
    [{ chat_template_kwargs: [] }, 'chat_template_kwargs: expected an object'],
    [{ response_format: { type: 'json_schema', json_schema: { schema: {} } } }, 'response_format: answers are not constrained to a format'],
    [{ response_format: { type: 'text' } }, 'response_format: answers are not constrained to a format'],
    [{ response_format: null }, 'response_format: answers are not constrained to a format'],
  ])('refuses %o', (value, message) => {
    expect(() => parseWith(Generation, value, 'generation')).toThrow(message);
  });
});
