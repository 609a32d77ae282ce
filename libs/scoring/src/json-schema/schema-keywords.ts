import { _, str, type FuncKeywordDefinition, type CodeKeywordDefinition, type KeywordCxt } from 'ajv';
import { jsonText } from '../json/json-text.js';
import { decimalFromNumber, parseDecimal } from '../numbers/decimal.js';
import { isMultipleOf } from '../numbers/is-multiple-of.js';
import { type WorkBudget } from '../work-budget.js';
import { type ExactTwins, type ValuePlace } from './exact-twins.js';

/** Put into every subschema that the validator gets: one step of work. */
export const STEP_KEYWORD = 'x-kiln-step';

/**
 * Keywords whose own versions in the validator are replaced. `enum` and `const` compare by methods that an answer may
 * bring along (`valueOf`) and by 64-bit floats, `enum` may not be empty, `uniqueItems` is quadratic, and `multipleOf` divides floats (19.99 is
 * no multiple of 0.01).
 */
export function replacedKeywords(work: WorkBudget, twins: ExactTwins): (FuncKeywordDefinition | CodeKeywordDefinition)[] {
  const spendOne = (): void => work.spend(1);
  const textOf = (value: unknown): string => {
    // Depth is bounded before.
    const text = jsonText(value);
    work.spend(text.length >> 4);
    return text;
  };
  return [
    {
      keyword: STEP_KEYWORD,
      code: ({ gen }: KeywordCxt) => {
        gen.code(_`${gen.scopeValue('func', { ref: spendOne })}()`);
      },
    },
    {
      keyword: 'enum',
      error: { message: 'must be one of the values of the enum' },
      schemaType: 'array',
      errors: false,
      compile: (values: unknown[]) => {
        const texts = new Set(values.map((value) => jsonText(value)));
        return (value: unknown, place: ValuePlace = {}) => texts.has(textOf(twins.exactOf(value, place)));
      },
    },
    {
      keyword: 'const',
      error: { message: 'must be the const value' },
      errors: false,
      compile: (wanted: unknown) => {
        const text = jsonText(wanted);
        return (value: unknown, place: ValuePlace = {}) => textOf(twins.exactOf(value, place)) === text;
      },
    },
    {
      keyword: 'uniqueItems',
      error: { message: 'must not have equal items' },
      type: 'array',
      schemaType: 'boolean',
      errors: false,
      compile: (unique: boolean) => (copy: unknown[]) => {
        if (!unique) return true;
        const items = twins.exactOf(copy, {}) as unknown[];
        return new Set(items.map(textOf)).size === items.length;
      },
    },
    {
      keyword: 'multipleOf',
      error: { message: ({ schema }) => str`must be a multiple of ${schema}` },
      type: 'number',
      schemaType: 'number',
      errors: false,
      compile: (divisor: number) => {
        const wanted = decimalFromNumber(divisor);
        return (value: number, place: ValuePlace = {}) => {
          const exact = twins.exactOf(value, place);
          const decimal = typeof exact === 'bigint' ? parseDecimal(exact.toString()) : Number.isFinite(value) && decimalFromNumber(value);
          return decimal ? isMultipleOf(decimal, wanted) : false;
        };
      },
    },
  ];
}
