import { type ScorerOf } from '@kiln/contracts';
import { READS_AN_EXPRESSION } from './answer-source.js';
import { type Mutant, type MutateExample, type ProvedExample, mayPass, mustNotPass, mustPass } from './mutant.js';
import { wrongTexts } from './wrong-texts.js';
import { wrapped } from './wrap.js';

const ONE_TEXT = 'set_check reads a JSON list, or the whole answer as one element';

export function proveSetCheck(scorer: ScorerOf<'set_check'>): MutateExample | string {
  if (scorer.value_expression !== null) return READS_AN_EXPRESSION;
  return (example) => {
    const set = expectedSet(scorer, example);
    const [first] = set ?? [];
    if (set === null || first === undefined) return null;
    const gold = JSON.stringify(set);
    const allowed = (kind: Mutant['kind'], text: string): Mutant => mayPass(kind, text, `mode ${scorer.mode} allows it`);
    const changed = JSON.stringify([elementOutside(set, `${first}x`), ...set.slice(1)]);
    const dropped = JSON.stringify(set.slice(1));
    const extra = JSON.stringify([...set, elementOutside(set, 'extra')]);
    return [
      mustPass('target', gold),
      ...wrapped(gold).map(([kind, text]) => mayPass(kind, text, ONE_TEXT)),
      ...(set.length < 2 ? [] : [mustPass('key_order', JSON.stringify(set.toReversed()))]),
      ...wrongTexts((text) => set.includes(text.trim())),
      mustNotPass('changed_value', changed),
      ...(set.length < 2 ? [] : [scorer.mode === 'subset' ? allowed('dropped_member', dropped) : mustNotPass('dropped_member', dropped)]),
      scorer.mode === 'superset' ? allowed('extra_member', extra) : mustNotPass('extra_member', extra),
    ];
  };
}

/** The expected elements without repetitions; null when the example names none. */
function expectedSet({ expected_set: fixed, reference_key: key }: ScorerOf<'set_check'>, example: ProvedExample): string[] | null {
  if (fixed !== null) return [...new Set(fixed)];
  const { reference, target } = example;
  const source = key === null ? parsed(target) : reference !== null && Object.hasOwn(reference, key) ? reference[key] : undefined;
  if (Array.isArray(source)) return source.every((element) => typeof element === 'string') ? [...new Set(source)] : null;
  return typeof source === 'string' ? [source] : null;
}

/** A target that is a JSON list is read as one; any other is one element. */
function parsed(target: string | null): unknown {
  if (target === null || !target.trimStart().startsWith('[')) return target;
  try {
    return JSON.parse(target);
  } catch {
    return target;
  }
}

function elementOutside(set: readonly string[], wanted: string): string {
  let element = wanted;
  while (set.includes(element)) element += 'x';
  return element;
}
