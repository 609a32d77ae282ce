import { equalJsonValues } from '../json/equal-json.js';
import { parseDecimal } from '../numbers/decimal.js';
import { type ArgumentValue } from './argument-value.js';
import { compareCommands } from './compare-commands.js';
import { keyPhrases, phraseShare } from './key-phrases.js';
import { codeTokens, jaccard } from '../code/compare-code.js';
import { characterSimilarity } from './character-similarity.js';

const COMMAND_KEYS: ReadonlySet<string> = new Set(['command', 'cmd', 'script', 'shell', 'bash', 'code']);
const RELATIVE = 1e-3;
const ABSOLUTE = 1e-6;
const PROSE_WORDS = 5;
const PHRASE_BONUS = 0.05;

/**
 * The `auto` rule: how alike two values of one argument are, from 0 to 1 (contracts.md §1.8). Commands by what they run, code by
 * its tokens, prose by its key phrases, other texts by their characters, numbers within 0.1 %; everything else must be equal.
 */
export function compareValues(key: string, predicted: ArgumentValue, target: ArgumentValue): number {
  if (typeof predicted === 'string' && typeof target === 'string') return compareTexts(key, predicted, target);
  if (isNumber(predicted) && isNumber(target)) return isClose(predicted, target) ? 1 : 0;
  return equalJsonValues(predicted, target) ? 1 : 0;
}

function compareTexts(key: string, predicted: string, target: string): number {
  if (predicted === target) return 1;
  if (COMMAND_KEYS.has(key.toLowerCase())) return compareCommands(predicted, target);
  if (target.includes('```')) return jaccard(codeTokens(predicted), codeTokens(target));
  // Digits and punctuation are a number, a date, a code: similar ones are simply different.
  if (!/\p{L}/u.test(target) || parseDecimal(target) !== null) return 0;
  const phrases = wordCount(target) >= PROSE_WORDS ? keyPhrases(target) : [];
  if (phrases.length > 0) return Math.min(1, phraseShare(phrases, predicted) + PHRASE_BONUS);
  return characterSimilarity(predicted.toLowerCase(), target.toLowerCase());
}

function wordCount(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

function isNumber(value: ArgumentValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isClose(predicted: number | bigint, target: number | bigint): boolean {
  if (predicted === target) return true;
  const wanted = Number(target);
  return Math.abs(Number(predicted) - wanted) <= ABSOLUTE + RELATIVE * Math.abs(wanted);
}
