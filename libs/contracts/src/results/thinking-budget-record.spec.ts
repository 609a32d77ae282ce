import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ThinkingBudgetRecord, ThinkingBudgetSource, saysUnlimited } from './thinking-budget-record.js';

const unlimited = {
  configured: false,
  tokens_source: 'unlimited',
  time_source: 'suite_unlimited',
  applied: false,
  triggered: false,
};
const limited = {
  configured: true,
  max_tokens: 96,
  tokens_source: 'suite',
  time_source: 'example_unlimited',
  applied: true,
  triggered: true,
  trigger: 'tokens',
  closed: true,
  thinking_tokens: 96,
  thinking_time_ms: 12.5,
};

describe('ThinkingBudgetRecord', () => {
  it('takes both a limited and an unlimited record', () => {
    expect(ThinkingBudgetRecord.parse(unlimited)).toEqual(unlimited);
    expect(ThinkingBudgetRecord.parse(limited)).toEqual(limited);
  });

  it('lets a finite limit go with a finite source only, and the reverse', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ThinkingBudgetSource.options), fc.option(fc.nat(), { nil: undefined }), (source, limit) => {
        const record = {
          ...unlimited,
          configured: limit !== undefined,
          tokens_source: source,
          ...(limit === undefined ? {} : { max_tokens: limit }),
        };
        const says = saysUnlimited(source);
        expect(ThinkingBudgetRecord.safeParse(record).success).toBe(says === null || says === (limit === undefined));
      }),
    );
  });

  it.each([
    [{ ...limited, configured: false }, 'configured'],
    [{ ...unlimited, configured: true }, 'configured'],
    [{ ...unlimited, applied: true }, 'applied'],
    [{ ...limited, triggered: false }, 'trigger'],
    [{ ...unlimited, triggered: true }, 'trigger'],
    [{ ...limited, closed: undefined }, 'closed'],
    [{ ...unlimited, thinking_tokens: 3 }, 'closed'],
    [{ ...limited, max_tokens: -1 }, 'max_tokens'],
  ])('refuses %o', (record, field) => {
    expect(ThinkingBudgetRecord.safeParse(record).error?.issues[0]?.path).toEqual([field]);
  });
});
