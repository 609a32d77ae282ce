import { type ScorerOf } from '@kiln/contracts';
import { readSet } from '../set-check.js';
import { compileExpectedOf, READS_AN_EXPRESSION } from './expected-texts.js';
import { type Mutant, type MutateExample, mayPass, mustNotPass, mustPass } from './mutant.js';
import { wrongTexts } from './wrong-texts.js';
import { wrapped } from './wrap.js';

const ONE_TEXT = 'set_check reads a JSON list, or the whole answer as one element';

export function proveSetCheck({ mode, ...scorer }: ScorerOf<'set_check'>): MutateExample | string {
  if (scorer.value_expression !== null) return READS_AN_EXPRESSION;
  const expectedOf = compileExpectedOf(scorer.expected_set, scorer.reference_key);
  return (example) => {
    const sets = expectedOf(example).map(readSet);
    const [gold] = sets;
    // With other right sets a changed one may be right again: nothing can be said of it.
    if (gold === undefined || gold === null || gold.size === 0 || sets.length > 1) return null;
    const elements = [...gold];
    const [first = '', ...rest] = elements;
    const changed = JSON.stringify([outside(gold, `${first}x`), ...rest]);
    const dropped = JSON.stringify(rest);
    const extra = JSON.stringify([...elements, outside(gold, 'extra')]);
    const allowed = (kind: Mutant['kind'], text: string): Mutant => mayPass(kind, text, `mode ${mode} allows it`);
    const text = JSON.stringify(elements);
    return [
      mustPass('target', text),
      ...wrapped(text).map(([kind, dressed]) => (kind === 'white_space' ? mustPass(kind, dressed) : mayPass(kind, dressed, ONE_TEXT))),
      ...(rest.length === 0 ? [] : [mustPass('key_order', JSON.stringify(elements.toReversed()))]),
      ...wrongTexts((wrong) => gold.has(wrong.trim())),
      mustNotPass('changed_value', changed),
      ...(rest.length === 0 ? [] : [mode === 'subset' ? allowed('dropped_member', dropped) : mustNotPass('dropped_member', dropped)]),
      mode === 'superset' ? allowed('extra_member', extra) : mustNotPass('extra_member', extra),
    ];
  };
}

/** `wanted`, or something like it that the set does not hold. */
function outside(set: ReadonlySet<string>, wanted: string): string {
  let element = wanted;
  while (set.has(element)) element += 'x';
  return element;
}
