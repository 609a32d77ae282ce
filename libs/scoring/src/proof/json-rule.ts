import { equalJson, type JsonDocument } from '../json/equal-json.js';
import { readJson } from '../json/read-json.js';
import { findRightAnswers } from '../right-answers.js';
import { changeJson } from './json-mutants.js';
import { type Mutant, type MutateExample, mayPass, mustNotPass, mustPass } from './mutant.js';
import { wrongTexts } from './wrong-texts.js';
import { wrapped } from './wrap.js';

export function proveJsonValidity(): MutateExample {
  return (example, other) => {
    const answers = findRightAnswers(example);
    if (answers === null) return null;
    const documents = answers.map(readJson).filter((reading) => reading.kind === 'json');
    const [gold] = documents;
    if (gold === undefined) return null;
    const isRight = (text: string): boolean => {
      const reading = readJson(text);
      return reading.kind === 'json' && documents.some((right) => equalJson(reading, right));
    };
    const { reordered, changed } = changeJson(gold.value);
    return [
      mustPass('target', answers[0]),
      ...dressed(gold),
      // Written out again, a number of more than 15 digits may be another one.
      ...(reordered === null || !isRight(reordered) ? [] : [mustPass('key_order', reordered)]),
      ...wrongTexts(isRight),
      ...changed.flatMap(({ kind, text }) => (isRight(text) ? [] : [mustNotPass(kind, text)])),
      ...(other === null || isRight(other) ? [] : [mustNotPass('other_answer', other)]),
    ];
  };
}

/** Prose and signs around an object or array do not matter. A lone value counts only as the whole answer. */
function dressed({ source, value }: JsonDocument): Mutant[] {
  const container = typeof value === 'object' && value !== null;
  return wrapped(source).flatMap(([kind, text]) => {
    if (kind === 'white_space') return [mustPass(kind, text)];
    if (!container) return [mayPass(kind, text, 'a lone JSON value counts only as the whole answer')];
    // The braces of \boxed would be the first ones.
    return kind === 'boxed' ? [mayPass(kind, text, 'the first balanced braces are read as JSON')] : [mustPass(kind, text)];
  });
}
