import { type ScorerOf } from '@kiln/contracts';
import { compileChoiceLabel } from '../read-choice.js';
import { rightAnswers } from '../right-answers.js';
import { type MutateExample, mayPass, mustNotPass, mustPass } from './mutant.js';
import { statesOneOf, wrongTexts } from './wrong-texts.js';
import { wrapped } from './wrap.js';

/** Signs can be the dress of others: whether "*" is in bold cannot be said. */
const WORDS = /^[\p{L}\p{N}]+(?:[ -][\p{L}\p{N}]+)*$/u;

export function proveMultipleChoice({ choices }: ScorerOf<'multiple_choice'>): MutateExample {
  const labelFor = compileChoiceLabel(choices);
  return (example) => {
    const right = rightAnswers(example)
      .map(labelFor)
      .filter((label) => label !== null);
    const [gold] = right;
    if (gold === undefined) return null;
    const wrong = choices.filter((label) => !right.includes(label));
    const plain = WORDS.test(gold.trim());
    return [
      mustPass('target', gold),
      ...wrapped(gold.trim()).map(([kind, text]) =>
        plain || kind === 'white_space' ? mustPass(kind, text) : mayPass(kind, text, 'a label made of signs cannot be told from its dress'),
      ),
      ...wrongTexts(statesOneOf(right)),
      ...[...new Set([wrong[0], wrong.at(-1)])].flatMap((label) => (label === undefined ? [] : [mustNotPass('another_label', label)])),
      mustNotPass('negation', `It is not ${gold}.`),
    ];
  };
}
