import { describe, expect, it } from 'vitest';
import { parseDecimal } from './decimal.js';
import { readLastNumber, readNumbers } from './read-numbers.js';

function last(text: string): string | null {
  const reading = readLastNumber(text);
  if (reading === null) return null;
  if (reading.kind === 'unreadable') return 'unreadable';
  const { negative, digits, exponent } = reading.value;
  return `${negative ? '-' : ''}${digits || '0'}e${exponent}${reading.claim === 'exact' ? '' : ` ${reading.claim}`}`;
}
const number = (text: string): string => {
  const value = parseDecimal(text);
  return value ? `${value.negative ? '-' : ''}${value.digits || '0'}e${value.exponent}` : 'not a number';
};

describe('readLastNumber', () => {
  it.each([
    ['sentence punctuation (C11)', '(42).', '42'],
    ['sentence punctuation (C11)', '42:', '42'],
    ['quotes and emphasis', '"42", **42**, _42_', '42'],
    ['a comma behind (C12)', '72, in total, so', '72'],
    ['no spaces inside (C12)', 'about 3 5', '5'],
    ['money (C13)', '$29.00', '29'],
    ['an ellipsis behind (C13)', 'he has 7 left...', '7'],
    ['an ellipsis in front', 'so it is...7', '7'],
    ['a point is not punctuation (C14)', '3.14', '3.14'],
    ['zeros count (C08)', 'The answer is 10', '10'],
    ['leading zeros do not', '007', '7'],
    ['percent is ignored, not scaled (C10)', 'cut from 100 to 20%', '20'],
    ['exponents (C15)', '1e3', '1000'],
    ['exponent with U+2212', '1e−3', '0.001'],
    ['a decimal comma is a list (C16)', '1.234,50', '50'],
    ['operators stay (C16)', '2*3', '3'],
    ['time', '12:30', '30'],
    ['a date', '2024-05-16', '16'],
    ['a fraction is two numbers', '3/4', '4'],
    ['units behind', '18km/h, 3m², 5kg', '5'],
    ['no space in Chinese', '答案是42。', '42'],
    ['no space in Thai', 'คำตอบคือ42', '42'],
    ['a tag around', '<answer>42</answer>', '42'],
    ['a calculator annotation', '<<9*2=18>>18', '18'],
    ['equality', 'x=42', '42'],
    ['an arrow', 'so =>42, or ==>42', '42'],
    ['a quoted block', '> 42', '42'],
    ['thousands, sign, decimals, exponent', '-1,234,567.5e2', '-123456750'],
    ['LaTeX groups', '\\boxed{-1{,}000}', '-1000'],
    ['LaTeX groups', '10,\\!000', '10000'],
  ])('%s: %s', (_, text, value) => {
    expect(last(text)).toBe(number(value));
  });

  it.each([
    ['minus touches', 'It is -5', '-5'],
    ['minus does not touch', 'It is - 5', '5'],
    ['range (C07)', '3-7', '7'],
    ['range with en dash', '3–7', '7'],
    ['range of percents', '5%-10%', '10'],
    ['range of degrees', '20°-25°', '25'],
    ['after a bracket', '(3)-5', '5'],
    ['names', 'GPT-4', '4'],
    ['a dash made of hyphens', 'the answer--5', '5'],
    ['an em dash', 'the answer—5', '5'],
    ['equation', 'x=-5', '-5'],
    ['quoted', '"-5"', '-5'],
    ['Chinese', '答案是-5', '-5'],
    ['minus, then currency', '-$5', '-5'],
    ['currency, then minus', '$-5', '-5'],
    ['escaped currency', '-\\$5', '-5'],
    ['euro', '-€5', '-5'],
    ['minus and a leading point', '-.5', '-0.5'],
    ['currency and a leading point', '$.50', '0.5'],
    ['plus', '+5', '5'],
  ])('sign, %s: %s', (_, text, value) => {
    expect(last(text)).toBe(number(value));
  });

  // The twelve numerals of C15: minus signs, digits of other scripts, and what must not be folded.
  it.each([
    ['U+2212 minus', '−5', '-5'],
    ['en dash', '–5', '-5'],
    ['non-breaking hyphen', '\u20115', '-5'],
    ['full-width', '－１，０００．５', '-1000.5'],
    ['Arabic-Indic', '٤٢٫٥', '42.5'],
    ['Persian', '۴۲', '42'],
    ['Devanagari', '४२', '42'],
    ['mathematical bold', '𝟒𝟐', '42'],
    ['mathematical double-struck nine', '𝟡', '9'],
    ['zero-width space inside', '4\u200b2', '42'],
  ])('numeral, %s: %s', (_, text, value) => {
    expect(last(text)).toBe(number(value));
  });

  it.each([
    '½',
    '2½',
    'one is ½',
    '10²',
    '5 or 10²',
    '192.168.1.10',
    '1.2.3',
    '12.5.2024',
    '1_000',
    '5_km',
    '1e5.5',
    '1e999',
    '1e-999',
    '9'.repeat(2000),
  ])('never grades an earlier number in place of %s', (text) => {
    expect(last(text)).toBe('unreadable');
  });

  it.each(['', 'No idea', 'forty-two', 'NaN', 'Infinity', 'B2', 'x2', 'x_1', '0x1F', 'm²', '①', 'a , b', '...', '-', '$'])(
    'finds none in %j',
    (text) => {
      expect(last(text)).toBeNull();
    },
  );

  it.each([
    ['<42', 'bound'],
    ['≤42', 'bound'],
    ['≥-42', 'bound'],
    ['≠42', 'bound'],
    ['it is >42', 'bound'],
    ['(>42)', 'bound'],
    ['<=42', 'bound'],
    ['x >=-42', 'bound'],
    ['!=$42', 'bound'],
    ['~42', 'approximate'],
    ['≈$42', 'approximate'],
  ])('%s claims something else than 42 (C11)', (text, claim) => {
    expect(readLastNumber(text)).toMatchObject({ kind: 'number', claim });
  });

  it('reads 400,000 numbers and a million digits without stalling', () => {
    expect(last('7 '.repeat(400_000))).toBe(number('7'));
    expect(last('1'.repeat(1_000_000))).toBe('unreadable');
    expect(last('1,'.repeat(300_000))).toBe(number('1'));
    expect(last('.'.repeat(1_000_000))).toBeNull();
  });
});

describe('readNumbers', () => {
  it('splits at commas that do not group thousands', () => {
    const values = readNumbers('(1,2), 1,23 and 1,234 and 0,123').map((reading) => reading.text);
    expect(values).toEqual(['1', '2', '1', '23', '1,234', '0', '123']);
  });
});
