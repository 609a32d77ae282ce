import { _, str, type FuncKeywordDefinition, type CodeKeywordDefinition, type KeywordCxt } from 'ajv';
import { type Value } from '../expression/expression-value.js';
import { jsonText } from '../expression/json-text.js';
import { WorkBudget } from '../expression/work-budget.js';
import { decimalFromNumber } from '../numbers/decimal.js';
import { isMultipleOf } from '../numbers/is-multiple-of.js';
import { type SchemaWork } from './schema-work.js';

/** Put into every subschema that the validator gets: one step of work. */
export const STEP_KEYWORD = 'x-kiln-step';

/**
 * Keywords whose own versions in the validator are replaced. `enum` and `const` compare by methods that an answer may
 * bring along (`valueOf`), `enum` may not be empty, `uniqueItems` is quadratic, and `multipleOf` divides floats (19.99 is
 * no multiple of 0.01).
 */
export function replacedKeywords(work: SchemaWork): (FuncKeywordDefinition | CodeKeywordDefinition)[] {
  const spendOne = (): void => work.spend(1);
  const textOf = (value: unknown): string => {
    const text = sortedText(value);
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
        const texts = new Set(values.map(sortedText));
        return (value: unknown) => texts.has(textOf(value));
      },
    },
    {
      keyword: 'const',
      error: { message: 'must be the const value' },
      errors: false,
      compile: (wanted: unknown) => {
        const text = sortedText(wanted);
        return (value: unknown) => textOf(value) === text;
      },
    },
    {
      keyword: 'uniqueItems',
      error: { message: 'must not have equal items' },
      type: 'array',
      schemaType: 'boolean',
      errors: false,
      compile: (unique: boolean) => (items: unknown[]) => !unique || new Set(items.map(textOf)).size === items.length,
    },
    {
      keyword: 'multipleOf',
      error: { message: ({ schema }) => str`must be a multiple of ${schema}` },
      type: 'number',
      schemaType: 'number',
      errors: false,
      compile: (divisor: number) => {
        const wanted = decimalFromNumber(divisor);
        return (value: number) => Number.isFinite(value) && isMultipleOf(decimalFromNumber(value), wanted);
      },
    },
  ];
}

/** The same for equal values and no others. Depth is bounded before, and work by what is left of the validation. */
function sortedText(value: unknown): string {
  return jsonText(value as Value, new WorkBudget(Infinity));
}
