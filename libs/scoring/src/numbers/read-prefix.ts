import { type NumberToken } from './number-token.js';

/** What stands in front of a number's first digit and belongs to it. */
export interface NumberPrefix {
  readonly sign: '' | '-' | '+';
  /** "." of ".5". */
  readonly point: '' | '.';
  readonly claim: NumberToken['claim'];
  /** The dot in front belongs to something longer, as in 1e5.5. */
  readonly unreadable: boolean;
}

const CURRENCY = /\p{Sc}/u;
/** After these a hyphen joins or subtracts: digits, cased letters, marks that close something, units, another hyphen. */
const JOINS = /[\p{Lu}\p{Ll}\p{Lt}\p{N})\]}%°_-]/u;
const OPENS_A_DOT = /[^\p{L}\p{N}.)\]}_]/u;

/**
 * Reads backwards from the digit at `start`: dot, currency sign, sign, and then what the text claims with it.
 *
 * @param hasPoint the digits already hold a decimal point, so a dot in front cannot be one.
 */
export function readPrefix(text: string, start: number, hasPoint: boolean): NumberPrefix {
  let at = start - 1;
  let point: NumberPrefix['point'] = '';
  if (text[at] === '.' && text[at - 1] !== '.') {
    const before = text[at - 1];
    if (before !== undefined && /[0-9]/.test(before)) return { sign: '', point, claim: 'exact', unreadable: true };
    if (!hasPoint && (before === undefined || OPENS_A_DOT.test(before))) {
      point = '.';
      at -= 1;
    }
  }
  if (CURRENCY.test(text[at] ?? '')) at -= text[at - 1] === '\\' ? 2 : 1;
  let sign: NumberPrefix['sign'] = '';
  const mark = text[at];
  if ((mark === '-' || mark === '+') && !JOINS.test(text[at - 1] ?? '')) {
    sign = mark;
    at -= 1;
  }
  return { sign, point, claim: readClaim(text, at), unreadable: false };
}

/**
 * "<42", "≥42", "≠42", "<=42", ">=42", "!=42" and a lone ">42" bound the number; "~42" and "≈42" approximate it. A doubled
 * mark is something else (`<<9*2=18>>18`, strike-through), and so is the ">" that closes a tag (`<b>42</b>`), an arrow or a
 * comparison.
 */
function readClaim(text: string, at: number): NumberToken['claim'] {
  const mark = text[at];
  if (mark === undefined || mark === text[at - 1]) return 'exact';
  if (mark === '~' || mark === '≈') return 'approximate';
  if (mark === '=') return /^[<>!]$/.test(text[at - 1] ?? '') ? 'bound' : 'exact';
  if (mark === '<' || mark === '≤' || mark === '≥' || mark === '≠') return 'bound';
  return mark === '>' && /^[\s([]?$/.test(text[at - 1] ?? '') ? 'bound' : 'exact';
}
