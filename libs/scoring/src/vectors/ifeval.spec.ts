import { describe, expect, it } from 'vitest';
import { kindOf } from '../score-answer.fixture.js';
import { findThirdPartyVectors } from './find-third-party.fixture.js';

interface Instruction {
  // oxlint-disable-next-line typescript/no-explicit-any -- each instruction has parameters of its own
  (parameters: any): object;
}

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
const match = (pattern: string) => ({ kind: 'pattern_match', pattern });
const noMatch = (pattern: string) => ({ kind: 'pattern_match', pattern, mode: 'must_not_match' });
/** `pattern` is found at least that often, from left to right. */
const atLeast = (count: number, pattern: string): string => `(?s)(?:${pattern}.*?){${count}}`;
const often = (relation: string, count: number, pattern: string) =>
  relation === 'at least' ? match(atLeast(count, pattern)) : noMatch(atLeast(count, pattern));
const exactly = (count: number, pattern: string) => ({
  kind: 'all',
  scorers: [match(atLeast(count, pattern)), noMatch(atLeast(count + 1, pattern))],
});
/** Parts with text in them, `separator` between them and perhaps around them. */
const parts = (count: number, separator: string): string =>
  String.raw`^\s*(?:${separator})?[^*]*[^*\s][^*]*(?:${separator}[^*]*[^*\s][^*]*){${count - 1}}(?:${separator}\s*)?$`;

/** IFEval's instructions as suites of ours would write them. */
const INSTRUCTIONS: Readonly<Record<string, Instruction>> = {
  'change_case:capital_word_frequency': ({ capital_frequency: count, capital_relation: relation }) =>
    often(relation, count, String.raw`\b[A-Z]+\b`),
  'change_case:english_lowercase': () => noMatch(String.raw`\p{Lu}`),
  'combination:repeat_prompt': ({ prompt_to_repeat: prompt }) => match(String.raw`(?i)^\s*${literal(prompt)}`),
  'combination:two_responses': () => match(parts(2, String.raw`\*{6}`)),
  'detectable_content:number_placeholders': ({ num_placeholders: count }) => match(atLeast(count, String.raw`\[[^\]]*\]`)),
  'detectable_content:postscript': ({ postscript_marker: marker }) =>
    match(`(?i)${literal(marker).replaceAll(String.raw`\.`, String.raw`\.\s?`)}`),
  'detectable_format:constrained_response': () => ({
    kind: 'contains',
    phrases: ['My answer is yes.', 'My answer is no.', 'My answer is maybe.'],
  }),
  'detectable_format:exact_number_bullet_points': ({ num_bullets: count }) => exactly(count, String.raw`(?m:^)[ \t]*(?:\*[^*\n]|-)[^\n]*`),
  'detectable_format:minimum_number_highlighted_sections': ({ num_highlights: count }) =>
    match(atLeast(count, String.raw`\*{1,2}[^\n*]+\*{1,2}`)),
  'detectable_format:multiple_sections': ({ section_spliter: word, num_sections: count }) =>
    match(atLeast(count, String.raw`${literal(word)}\s?\d+`)),
  'detectable_format:title': () => match(String.raw`<<[^\n]*[^\s<>][^\n]*>>`),
  'keywords:forbidden_words': ({ forbidden_words: words }) => noMatch(String.raw`(?i)\b(?:${words.map(literal).join('|')})\b`),
  'keywords:include_keywords': ({ keywords }) => ({ kind: 'contains', phrases: keywords, mode: 'all', case_sensitive: false }),
  'keywords:keyword_frequency': ({ keyword, frequency, relation }) => often(relation, frequency, `(?i:${literal(keyword.trim())})`),
  'keywords:letter_frequency': ({ letter, let_frequency: count, let_relation: relation }) => often(relation, count, `(?i:${letter})`),
  'length_constraint:number_paragraphs': ({ num_paragraphs: count }) => match(parts(count, String.raw`\*{3}`)),
  'length_constraint:number_words': ({ num_words: count, relation }) => often(relation, count, String.raw`\b\w+\b`),
  'multi-turn:constrained_start': ({ starter }) => match(String.raw`(?m)^\s*${literal(starter)}`),
  'punctuation:no_comma': () => noMatch(','),
  'startend:end_checker': ({ end_phrase: phrase }) => match(String.raw`(?i)${literal(phrase.trim())}["\s]*$`),
  'startend:quotation': () => match(String.raw`(?s)^\s*".*"\s*$`),
};

/** What no scorer of ours expresses: it needs sentence splitting, a language detector, or a count over a set. */
const NOT_EXPRESSED = [
  'detectable_content:rephrase_paragraph',
  'keywords:key_sentences',
  'language:response_language',
  'length_constraints:nth_paragraph_first_word',
  'length_constraints:number_sentences',
];

describe('ifeval_checkers.json', () => {
  const vectors = findThirdPartyVectors('ifeval_checkers.json');

  it.skipIf(vectors === null)('scorers agree with the checkers', () => {
    const wrong: string[] = [];
    const missing = new Set<string>();
    for (const { instruction_id: id, kwargs, response, expected } of vectors.cases) {
      const instruction = INSTRUCTIONS[id];
      if (instruction === undefined) missing.add(id);
      else if ((kindOf(instruction(kwargs), response) === 'pass') !== expected) wrong.push(`${id} ${JSON.stringify(kwargs)}: ${response}`);
    }
    expect(wrong).toEqual([]);
    expect([...missing].filter((id) => !NOT_EXPRESSED.includes(id))).toEqual([]);
  });
});
