import { type SuiteInput } from '@kiln/contracts';

/** A valid suite of `count` additions; fields of `more` replace its own. */
export function additions(name: string, count = 3, more: Partial<SuiteInput> = {}): SuiteInput {
  return {
    name,
    schema_version: 2,
    default_scorer: { kind: 'exact_match' },
    examples: Array.from({ length: count }, (_, n) => ({
      id: `add-${n}`,
      messages: [{ role: 'user', content: `${n} + 1 = ?` }],
      target: `${n + 1}`,
      tags: [n % 2 === 0 ? 'even' : 'odd'],
    })),
    ...more,
  };
}

/** The same as JSONL: the header on the first line. */
export function jsonl({ examples, ...header }: SuiteInput): string {
  return [header, ...examples].map((line) => JSON.stringify(line)).join('\n');
}
