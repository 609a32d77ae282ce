import { type CodeOptions } from 'ajv';
import { TooCostlyError, type WorkBudget } from '../work-budget.js';
import { compileEcmaPattern } from './ecma-pattern.js';
import { showName } from './prototype-names.js';

type RegExpEngine = NonNullable<CodeOptions['regExp']>;
type RegExpLike = ReturnType<RegExpEngine>;

/** What the validator uses in place of `RegExp`: patterns that cannot hang, and see names as they were written. */
export function schemaRegExp(work: WorkBudget): RegExpEngine {
  const create = (source: string): RegExpLike => {
    const pattern = compileEcmaPattern(source);
    if (pattern.kind === 'bad_pattern') throw new Error(`pattern ${JSON.stringify(source)}: ${pattern.message}`);
    return {
      test: (text) => {
        work.spend(text.length >> 4);
        const shown = showName(text);
        if (!pattern.affords(shown)) throw new TooCostlyError('searches too long a text');
        return pattern.matches(shown);
      },
      // The validator tells patterns apart by this.
      toString: () => source,
    } as RegExpLike;
  };
  return Object.assign(create, { code: 'schemaRegExp' });
}
