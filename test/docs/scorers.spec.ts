import { ScorerKind } from '@kiln/contracts';
import { isInlineScorer } from '@kiln/scoring';
import { parseText } from '@kiln/suites';
import { describe, expect, it } from 'vitest';
import { anchorsOf, markdownFiles } from './documents.js';
import { readScorerExample, wrongAnswers } from './scorer-example.js';

const document = markdownFiles().find(({ file }) => file === 'docs/scorers.md');
if (document === undefined) throw new Error('docs/scorers.md is absent');
const examples = document.fences
  .filter(({ info }) => info[0] === 'ScorerExample')
  .map(({ text, line }) => {
    const value = parseText(text, 'yaml', 'example') as { scorer: { kind: string } };
    return { line, kind: value.scorer.kind, read: () => readScorerExample(value) };
  });

describe('docs/scorers.md', () => {
  it.each(ScorerKind.options)('%s has a section with an example', (kind) => {
    expect(anchorsOf(document)).toContain(kind);
    const heading = document.text.split('\n').indexOf(`### ${kind}`) + 1;
    expect(examples.find(({ line }) => line > heading)?.kind, `the first example behind "### ${kind}"`).toBe(kind);
  });

  it.each(examples)('the answers to $kind come out as it says', ({ read }) => {
    const example = read();
    expect(wrongAnswers(example)).toEqual([]);
    if (isInlineScorer(example.scorer)) expect(example.pass.length, 'answers that pass').toBeGreaterThan(0);
  });
});
