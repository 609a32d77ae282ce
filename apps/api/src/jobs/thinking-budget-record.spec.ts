import { Generation, parseWith, ThinkingBudgetRecord } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { thinkingBudgetRecord } from './thinking-budget-record.js';

const generation = (written: object = {}) => parseWith(Generation, written, 'generation');
const outcome = { applied: false, triggered: false };

describe('thinkingBudgetRecord', () => {
  it('takes each dimension from the innermost settings that name it', () => {
    const record = thinkingBudgetRecord(outcome, generation({ thinking_budget_tokens: null }), {
      header: { generation: generation({ thinking_budget_tokens: 9, thinking_budget_ms: 7 }) },
      generationOverride: generation({ thinking_budget_ms: 5 }),
      thinkingDefaults: { thinking_budget_tokens: 3, thinking_budget_ms: 4 },
    });
    expect(record).toEqual({
      configured: true,
      max_time_ms: 5,
      tokens_source: 'example_unlimited',
      time_source: 'run_override',
      ...outcome,
    });
    expect(() => parseWith(ThinkingBudgetRecord, record, 'record')).not.toThrow();
  });

  it('is unlimited where nobody says anything', () => {
    const record = thinkingBudgetRecord(outcome, null, {
      header: { generation: generation() },
      generationOverride: null,
      thinkingDefaults: {},
    });
    expect(record).toEqual({ configured: false, tokens_source: 'unlimited', time_source: 'unlimited', ...outcome });
  });

  it('keeps a limit of zero', () => {
    const header = { generation: generation({ thinking_budget_tokens: 0 }) };
    expect(thinkingBudgetRecord(outcome, null, { header, generationOverride: null, thinkingDefaults: {} })).toMatchObject({
      configured: true,
      max_tokens: 0,
      tokens_source: 'suite',
    });
  });
});
