type Parameters = Readonly<Record<string, unknown>>;

const literal = (text: unknown): string => String(text).replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
const match = (pattern: string): object => ({ kind: 'pattern_match', pattern });
const noMatch = (pattern: string): object => ({ kind: 'pattern_match', pattern, mode: 'must_not_match' });
/** `pattern` is found at least that often, from left to right. */
const atLeast = (count: unknown, pattern: string): string => `(?s)(?:${pattern}.*?){${Number(count)}}`;
const often = (relation: unknown, count: unknown, pattern: string): object =>
  relation === 'at least' ? match(atLeast(count, pattern)) : noMatch(atLeast(count, pattern));
const exactly = (count: unknown, pattern: string): object => ({
  kind: 'all',
  scorers: [match(atLeast(count, pattern)), noMatch(atLeast(Number(count) + 1, pattern))],
});
/** Parts with text in them, `separator` between them and perhaps around them. */
const parts = (count: unknown, separator: string): string =>
  String.raw`^\s*(?:${separator})?[^*]*[^*\s][^*]*(?:${separator}[^*]*[^*\s][^*]*){${Number(count) - 1}}(?:${separator}\s*)?$`;

/**
 * Instructions of IFEval in our scorers. What is missing needs sentences to be split, a language to be recognised, or two texts to be
 * compared.
 */
const INSTRUCTIONS: ReadonlyMap<string, (parameters: Parameters) => object> = new Map([
  ['change_case:capital_word_frequency', (p: Parameters) => often(p['capital_relation'], p['capital_frequency'], String.raw`\b[A-Z]+\b`)],
  ['change_case:english_capital', () => noMatch(String.raw`\p{Ll}`)],
  ['change_case:english_lowercase', () => noMatch(String.raw`\p{Lu}`)],
  ['combination:repeat_prompt', (p) => match(String.raw`(?i)^\s*${literal(p['prompt_to_repeat'])}`)],
  ['combination:two_responses', () => match(parts(2, String.raw`\*{6}`))],
  ['detectable_content:number_placeholders', (p) => match(atLeast(p['num_placeholders'], String.raw`\[[^\]]*\]`))],
  ['detectable_content:postscript', (p) => match(`(?i)${literal(p['postscript_marker']).replaceAll(String.raw`\.`, String.raw`\.\s?`)}`)],
  [
    'detectable_format:constrained_response',
    () => ({ kind: 'contains', phrases: ['My answer is yes.', 'My answer is no.', 'My answer is maybe.'] }),
  ],
  ['detectable_format:json_format', () => ({ kind: 'json_validity' })],
  ['detectable_format:multiple_sections', (p) => match(atLeast(p['num_sections'], String.raw`${literal(p['section_spliter'])}\s?\d+`))],
  ['detectable_format:number_bullet_lists', (p) => exactly(p['num_bullets'], String.raw`(?m:^)[ \t]*(?:\*[^*\n]|-)[^\n]*`)],
  ['detectable_format:number_highlighted_sections', (p) => match(atLeast(p['num_highlights'], String.raw`\*{1,2}[^\n*]+\*{1,2}`))],
  ['detectable_format:title', () => match(String.raw`<<[^\n]*[^\s<>][^\n]*>>`)],
  ['keywords:existence', (p) => ({ kind: 'contains', phrases: p['keywords'], mode: 'all', case_sensitive: false })],
  ['keywords:forbidden_words', (p) => noMatch(String.raw`(?i)\b(?:${(p['forbidden_words'] as string[]).map(literal).join('|')})\b`)],
  ['keywords:frequency', (p) => often(p['relation'], p['frequency'], `(?i:${literal(p['keyword'])})`)],
  ['keywords:letter_frequency', (p) => often(p['let_relation'], p['let_frequency'], `(?i:${literal(p['letter'])})`)],
  ['length_constraints:number_paragraphs', (p) => match(parts(p['num_paragraphs'], String.raw`\*{3}`))],
  ['length_constraints:number_words', (p) => often(p['relation'], p['num_words'], String.raw`\b\w+\b`)],
  ['punctuation:no_comma', () => noMatch(',')],
  ['startend:end_checker', (p) => match(String.raw`(?i)${literal(String(p['end_phrase']).trim())}["\s]*$`)],
  ['startend:quotation', () => match(String.raw`(?s)^\s*".*"\s*$`)],
]);

/** The scorer that checks an instruction; null when none of ours expresses it. */
export function findInstructionScorer(id: string, parameters: Parameters): object | null {
  return INSTRUCTIONS.get(id)?.(parameters) ?? null;
}
